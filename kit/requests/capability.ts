/** The types with which capabilities are declared. A capability is something that a model can do,
 *  independent of caller and driver. */
import type { Json } from '../json.ts'

/** A number of units of usage, such as seconds of sound. */
export interface UsageUnits {
  /** Name of the unit: `images`, `pixels`, `seconds`, `characters`, ... */
  unit: string
  units: number
}

/** Facts from the header of a file. */
export interface FileFacts {
  mediaType: string
  bytes: number
  /** Width in pixels, for images and video. */
  width?: number
  height?: number
  /** Length of audio or video, seconds. */
  durationSeconds?: number
  /** Frame rate of a video. */
  framesPerSecond?: number
  /** Number of sound channels. */
  channels?: number
}

/** An input file as it is known before the job runs: only its header has been read. */
export interface InputFacts extends FileFacts {
  /** Purpose of the input in the capability: `image`, `mask`, `first-frame`, ... */
  role: string
  /** Shortest and longest length in seconds that the operation allows, inclusive. The header may be
   *  wrong, so the length is checked again after the file has been decoded. */
  lengthLimits?: { least?: number; most?: number }
}

/** A preview of an output that is not finished. */
export interface OutputPreview extends FileFacts {
  /** Index of the output, from 0. */
  index: number
}

/** How to deliver parts of outputs that callers may download while they are being produced. */
interface EarlyOutputFacts<Request, Event> {
  /** Returns true when callers may download the outputs of this request early. */
  isWanted(request: Request): boolean
  /** Returns the bytes of an output that this event contains, with the index of the output;
   *  undefined for an event without such bytes. The events contain all bytes of one output before
   *  those of the next. */
  partOf(event: Event): { index: number; bytes: Uint8Array } | undefined
}

/** The errors after which a job fails over to the next target, if the first target has not sent
 *  anything yet (docs/interface.md#failover). `text`: nearly all errors. `paid`: only errors
 *  that prove that the target has not accepted the work. */
export type FailoverKind = 'text' | 'paid'

/** Rule for a request that sets a field which only some targets support:
 *  - `refused`: a target that does not support the field refuses the request, because its result
 *    would differ.
 *  - `told`: the target ignores the field, and `notFollowed` in the result names it.
 *  - A function: as `refused`, but the function writes the end of the message, after the field's
 *    name. It gets the value of the field and the name of the target. */
export type ExtraPolicy = 'refused' | 'told' | ((value: Json, who: string) => string)

/** Names of fields that exist only in the caller's protocol. They are spelled as in that protocol,
 *  so messages to the caller repeat them unchanged. */
export interface OwnFields {
  own: readonly string[]
}

/** Fields that a target ignores; `says` is the end of a sentence that begins with their names. */
export interface LeftOutFields {
  fields: OwnFields
  says: string
}

export interface CapabilityFacts<Request, Result, Event> {
  failover: FailoverKind
  /** Extras: request fields that only some targets support, with the way to treat each. An offer
   *  lists those that it supports. */
  extras?: { readonly [Field in keyof Request]?: ExtraPolicy }
  /** Returns the fields of the caller's own protocol that have no effect at a target, unless its
   *  offer lists `extras` in `follows`; undefined when there are none. */
  leftOut?(request: Request): LeftOutFields | undefined
  /** Returns the units that a request will probably use; exact where the request states them. They
   *  are reserved until the job ends; then the units that were used are charged. */
  expectedUnits(request: Request, inputs: readonly InputFacts[]): UsageUnits[]
  /** Returns the units to charge for one finished output when the run failed or was cancelled after
   *  it. When this method is absent, such a run is charged all expected units if it has delivered
   *  anything. */
  unitsOf?(output: FileFacts): UsageUnits[]
  /** Returns the preview that an event contains; undefined for other events. When a caller reads
   *  slowly, previews may be skipped. A caller who has received a preview of an output is charged
   *  as if the output had been delivered. */
  previewOf?(event: Event): OutputPreview | undefined
  /** Returns events that can be created again from the stored result. When a caller repeats a
   *  request whose run has ended, the caller receives these events before the outputs. */
  keptEvents?(result: Result): Event[]
  /** Facts about early downloads; absent when no part of an output is available before the
   *  whole. */
  early?: EarlyOutputFacts<Request, Event>
  /** Never set. The member exists only so that the compiler knows the types of request, result
   *  and events of the capability. */
  readonly types?: { request: Request; result: Result; event: Event }
}

/** Declares a capability. `Request` and `Result` are stored as JSON; events are not stored. */
export function capability<Request, Result, Event = never>(
  facts: CapabilityFacts<Request, Result, Event>,
): CapabilityFacts<Request, Result, Event> {
  return facts
}
