"""The Siemens C515C microcontroller, an 8052 with extras, exact to the machine cycle."""
