/** Longest life in milliseconds of a program that reads from a job or writes to one: while the job
 *  is paused for others, the program waits through no fault of its own. The program ends with the
 *  job. */
export const mostStandstillMs = 24 * 3_600_000
