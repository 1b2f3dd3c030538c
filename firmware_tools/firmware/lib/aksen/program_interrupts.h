/* Prototypes of a program's own interrupt functions. This one is for programs that have none; the
 * build writes another for those that have. */
