/** Limit of wall time in milliseconds for a program that exchanges data with a job over a pipe. The
 *  limit is as long as a day, because the program stands still while the job is paused and other
 *  jobs run. When the job ends, the program is ended too. */
export const mostStandstillMs = 24 * 3_600_000
