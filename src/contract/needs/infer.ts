import type { EventOf, RequestOf, ResultOf, StreamedCapability } from '@generation-gateway/kit/requests/capabilities.ts'

/** Capabilities whose runs are charged only by their input tokens and by units that are known
 *  before the run. Conversations are also charged by their output, so they run through `respond`
 *  instead. */
export type InferredCapability = Exclude<StreamedCapability, 'text.respond'>

/** A part of the model's output; the last event, `finish`, has the result of the run. */
export type InferEvent<C extends InferredCapability> = EventOf<C> | { type: 'finish'; result: ResultOf<C> }

/** Runs the chosen model on its targets, one after the other until one of them sends its first
 *  event, and records the usage. Throws `quota_exceeded`, and the last target's error. When the
 *  caller stops iterating, the model is stopped. */
export type Infer = <C extends InferredCapability>(capability: C, request: RequestOf<C>) => AsyncIterable<InferEvent<C>>
