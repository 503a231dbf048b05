/** The program of a thread that runs provider packages. */
import { installedPackages } from '../packages.ts'
import { serveThread } from './host.ts'

serveThread(installedPackages)
