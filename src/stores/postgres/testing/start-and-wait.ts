/** Starts a server of the given version and prints its folder and process id as JSON. A test
 *  kills this process and checks that the server ends too. */
import { startPostgres } from './server.ts'

const { folder, pid } = await startPostgres({ version: process.argv[2] === '15' ? 15 : 18 })
process.stdout.write(`${JSON.stringify({ folder, pid })}\n`)
setInterval(() => {}, 60_000)
