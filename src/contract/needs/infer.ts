import type { EventOf, RequestOf, ResultOf, StreamedCapability } from '@generation-gateway/kit/requests/capabilities.ts'

/** Capabilities whose input tokens are all that a run is charged by, beside units that are known
 *  beforehand. A conversation, which also has output, runs by the need `respond`. */
export type InferredCapability = Exclude<StreamedCapability, 'text.respond'>

/** A part of the model's output; the last one reports how the run ended. */
export type InferEvent<C extends InferredCapability> = EventOf<C> | { type: 'finish'; result: ResultOf<C> }

/** Runs the chosen model on its targets in order, failing over until the first event, and records
 *  its usage. Throws the last target's error. Abandoning the iteration stops the model. */
export type Infer = <C extends InferredCapability>(capability: C, request: RequestOf<C>) => AsyncIterable<InferEvent<C>>
