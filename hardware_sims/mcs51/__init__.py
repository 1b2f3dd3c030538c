"""The Siemens SAB 80C515A microcontroller, an 8052 with extras, exact to the machine cycle."""
