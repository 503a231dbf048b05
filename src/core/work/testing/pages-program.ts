/** A gateway in a process of its own, which the test kills. In the first try its driver stops
 *  after the first page. */
import { readConfig } from '../../../config/settings.ts'
import { startGateway } from '../../../main.ts'
import { pagesDriver } from './pages-driver.ts'

const turnPage = (attempt: number) => (attempt === 1 ? new Promise<void>(() => {}) : Promise.resolve())
await startGateway({ config: readConfig(process.env), env: process.env, extraDrivers: [pagesDriver(turnPage)] })
