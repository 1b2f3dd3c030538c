/* What the start must know of a program: prototypes of its interrupt functions, and PROGRAM_RETURNS
 * if AksenMain may return. This one is for programs with neither; the build writes another. */
