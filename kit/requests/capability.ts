/** What a capability is: the thing a model can do, whoever asks for it and whoever does it. */

export interface UsageUnits {
  /** `images`, `pixels`, `seconds`, `characters`, ... */
  unit: string
  units: number
}

/** What the header of a file tells. */
export interface FileFacts {
  mediaType: string
  bytes: number
  /** Pixels, for images and video. */
  width?: number
  height?: number
  /** Of audio and video. */
  durationSeconds?: number
  /** Of video. */
  framesPerSecond?: number
  /** Channels of the sound that it has. */
  channels?: number
}

/** An input file as it is known before the job runs: its header has been read. */
export interface InputFacts extends FileFacts {
  /** What the capability has it for: `image`, `mask`, `first-frame`, ... */
  role: string
  /** Seconds that the operation allows, inclusive: the run holds the decoded length against them. */
  lengthLimits?: { least?: number; most?: number }
}

/** An output that is not ready, as it was shown. */
export interface Look extends FileFacts {
  /** Which output, from 0. */
  index: number
}

/** Outputs that callers may take while they are made. */
interface EarlyFacts<Request, Event> {
  /** Whether anybody may. */
  isWanted(request: Request): boolean
  /** The bytes of an output that an event carries; those of one output come before those of the next. */
  partOf(event: Event): { index: number; bytes: Uint8Array } | undefined
}

/** Which errors let the next target be tried while the first has sent nothing yet
 *  (docs/interface.md#failover). `text`: nearly all. `paid`: only those that prove that the target
 *  has not accepted the work. */
export type FailoverKind = 'text' | 'paid'

/** A field that only some targets follow: without it the others' work would be another thing (`refused`), or is as good but for that (`told`: in the result's `notFollowed`). */
export type Extra = 'refused' | 'told'

export interface CapabilityFacts<Request, Result, Event> {
  failover: FailoverKind
  /** Which of its fields are extras; offers name those that they follow. */
  extras?: { readonly [Field in keyof Request]?: Extra }
  /** What a request will probably use, for its hold: exact where it says so itself; the end settles by what was really used. */
  expectedUnits(request: Request, inputs: readonly InputFacts[]): UsageUnits[]
  /** What one output counts of a run that gave it and then did not come to its end. Absent: once such a run has given anything, all that was expected. */
  unitsOf?(output: FileFacts): UsageUnits[]
  /** The look at an output on its way that an event is; undefined for another kind of event. Looks may be left out for a caller who is behind, and whoever has seen one has had that output. */
  lookAt?(event: Event): Look | undefined
  /** Events that the result keeps: whoever comes after they have passed is told them before the outputs. */
  keptEvents?(result: Result): Event[]
  /** Absent: nothing can be had of an output before it is whole. */
  early?: EarlyFacts<Request, Event>
  /** Never there: it only ties the types of the request, the result and the events to the capability. */
  readonly types?: { request: Request; result: Result; event: Event }
}

/** Declares a capability. `Request` and `Result` are stored as JSON; events only pass by. */
export function capability<Request, Result, Event = never>(
  facts: CapabilityFacts<Request, Result, Event>,
): CapabilityFacts<Request, Result, Event> {
  return facts
}
