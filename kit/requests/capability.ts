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
  /** Shortest and longest length in seconds that the operation allows, inclusive; the run checks
   *  the decoded length against them. */
  lengthLimits?: { least?: number; most?: number }
}

/** A preview of an output that is not finished. */
export interface OutputPreview extends FileFacts {
  /** Index of the output, from 0. */
  index: number
}

/** Facts about outputs that callers may download while they are being produced. */
interface EarlyOutputFacts<Request, Event> {
  /** Returns true when callers may download the outputs of this request early. */
  isWanted(request: Request): boolean
  /** Returns the bytes of an output that an event contains, with the index of that output;
   *  undefined for an event without such bytes. All bytes of one output come before those of the
   *  next. */
  partOf(event: Event): { index: number; bytes: Uint8Array } | undefined
}

/** The errors after which a job fails over to the next target, if the first target has not sent
 *  anything yet (docs/interface.md#failover). `text`: nearly all errors. `paid`: only errors
 *  that prove that the target has not accepted the work. */
export type FailoverKind = 'text' | 'paid'

/** The way to treat a field that only some targets support. `refused`: a target that does not
 *  support it refuses the request, since its result would be a different one. `told`: the target
 *  ignores the field, and the caller is informed of this in `notFollowed` of the result. A function
 *  is `refused` with a sentence of its own: it returns how the sentence goes on after the field's
 *  name, and gets the value of the field and the name of the target. */
export type ExtraPolicy = 'refused' | 'told' | ((value: Json, who: string) => string)

/** Fields of the caller's own protocol, by the names that this protocol gives them. No vocabulary
 *  translates these names. */
export interface OwnFields {
  own: readonly string[]
}

/** Fields that a target leaves out; `says` continues a sentence that begins with their names. */
export interface LeftOutFields {
  fields: OwnFields
  says: string
}

export interface CapabilityFacts<Request, Result, Event> {
  failover: FailoverKind
  /** Extras: request fields that only some targets support, with the way to treat each. An offer
   *  lists those that it supports. */
  extras?: { readonly [Field in keyof Request]?: ExtraPolicy }
  /** Returns the fields of the caller's own protocol that get lost at a target whose offer does
   *  not list `extras` in `follows`; undefined when none gets lost. */
  leftOut?(request: Request): LeftOutFields | undefined
  /** Returns the units that a request will probably use; they are exact where the request states
   *  them. They are reserved until the job ends; then the units really used are charged. */
  expectedUnits(request: Request, inputs: readonly InputFacts[]): UsageUnits[]
  /** Returns the units to charge for one finished output of a run that failed or was cancelled
   *  afterwards. When absent, such a run is charged all expected units as soon as it has
   *  delivered anything. */
  unitsOf?(output: FileFacts): UsageUnits[]
  /** Returns the preview in an event; undefined for other events. Previews may be left out when
   *  a caller reads slowly. A caller who has received a preview is charged as if the output had
   *  been delivered. */
  previewOf?(event: Event): OutputPreview | undefined
  /** Returns the events that can be derived from the stored result. A caller who repeats a
   *  request after the run has ended receives them before the outputs. */
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
