/** The program of a process that runs a provider package. */
import { installedPackages } from '../packages.ts'
import { serveProcess } from './host.ts'

serveProcess(installedPackages)
