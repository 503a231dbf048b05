/** Milliseconds that a program may live that reads from a job or writes to one: while the job stands still so that others have their turn, the program waits, which is no fault of its own. Whoever runs the job ends the program with it. */
export const mostStandstillMs = 24 * 3_600_000
