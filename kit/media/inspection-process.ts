/** The entry point of an inspection process. */
import { serveEngine } from '../process/child.ts'
import { inspectionMethods } from './inspection-methods.ts'

serveEngine(inspectionMethods)
