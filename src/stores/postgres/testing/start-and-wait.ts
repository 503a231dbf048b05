/** Starts the server of a version, prints its folder and process id as JSON, and does nothing more,
 *  for the test that kills this process. */
import { startPostgres } from './server.ts'

const { folder, pid } = await startPostgres({ version: process.argv[2] === '15' ? 15 : 18 })
process.stdout.write(`${JSON.stringify({ folder, pid })}\n`)
setInterval(() => {}, 60_000)
