/** Limit of wall time in milliseconds for a program that exchanges data with a job over a pipe.
 *  The limit is one day, because the program also has to wait while the job is paused in favour
 *  of other jobs. When the job ends, the program is ended too. */
export const mostStandstillMs = 24 * 3_600_000
