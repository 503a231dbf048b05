/** The arguments and results of the functions that the gateway and a package's process call on each
 *  other. */
import type { ModelKind } from '../provider-model.ts'
import type { UrlPlace } from './cloneable.ts'
import type { SentError } from './sent-errors.ts'

/** A package to load, with the options of its factory. */
export interface PackageChoice {
  package: string
  /** Name of the factory; when absent, the package's only factory is used. */
  factory: string | undefined
  options: object
}

export interface ModelRequest {
  /** The service's own name of the model. */
  model: string
  kind: ModelKind
  /** Members of the model to look up. For a method, only its presence is reported; for any other
   *  member its value, or the result if the member is a function or a promise. */
  members: readonly { name: string; isMethod?: true }[]
}

export interface ModelFound {
  /** Number of the model within this run of the driver. */
  handle: number
  version: string
  /** The reason why the model cannot be used; `methods` and `members` are then empty. */
  problem: string | undefined
  methods: string[]
  members: Record<string, unknown>
}

export interface MethodCall {
  handle: number
  method: string
  /** The options of the call, without the signal. */
  argument: object
  /** The URL objects in the options, which cannot be cloned. */
  urls: readonly UrlPlace[]
  /** Members of the result that are sent back, as paths: `response.body.meta`. */
  wanted: readonly string[]
  /** Name of a member of the result that holds lists of numbers; they are sent as 32-bit floats. */
  vectors?: string
}

export interface StreamedParts {
  parts: unknown[]
  /** Errors in parts of type `error`; `at` is the index of the part. */
  errors: { at: number; error: SentError }[]
  /** True when no parts follow. */
  isLast: boolean
}

/** A request that the package sends to its service. */
export interface ServiceRequest {
  url: string
  method: string
  headers: [name: string, value: string][]
  body: Uint8Array<ArrayBuffer>
}

export interface ServiceReply {
  status: number
  headers: [name: string, value: string][]
  /** The whole body; null for an answer without one. */
  body: Uint8Array<ArrayBuffer> | null
  /** Number of the stream from which the body is read when it does not arrive as a whole. */
  stream: number | undefined
}
