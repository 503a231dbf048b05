/** Returns a port that is free now, and that no other process of the tests gets. Used for programs
 *  that are restarted and must then have the same address as before. */
export { freeQuietPort as freePort } from '../stores/testing/quiet-port.ts'
