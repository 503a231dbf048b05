/** Entry point of the child process that judges texts. Another process draws pictures, so a verdict
 *  does not wait for them. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import { moderate } from './moderate.ts'

serveEngine({ moderate })
