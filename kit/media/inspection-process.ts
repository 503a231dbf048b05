/** A process of the inspection. */
import { serveEngine } from '../process/child.ts'
import { inspectionMethods } from './inspection-methods.ts'

serveEngine(inspectionMethods)
