/** Entry point of the child process that judges texts. It is not the process that draws, so a
 *  verdict does not wait for pictures. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import { moderate } from './moderate.ts'

serveEngine({ moderate })
