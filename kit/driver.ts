import Type, { type TObject } from 'typebox'
import type { JsonObject } from './json.ts'
import type { Inspection } from './media/inspection.ts'
import type { Pack } from './packs.ts'
import type { Capability } from './requests/capabilities.ts'
import type { Driver, OfferFacts, Offers, OnceOffer, PolledOffer, StreamedOffer } from './requests/job.ts'
import type { SlidesTemplate } from './requests/slides.ts'
import type { OwnVoice } from './requests/voices.ts'

/** A model that an engine serves without any configuration. */
export interface EngineModel {
  /** The model id that callers use. */
  id: string
  title: string
  capability: Capability
  /** The engine's own name for the model: the `model` of a target. */
  name: string
  /** The usable model with the highest rank is the default; without ranks it is the first model. */
  rank?: number
  /** Facts for the docs. */
  notes?: string
}

/** A driver's declaration: what the catalogue, the settings form, `doctor` and the shared driver
 *  suite read. */
export type DriverSpec = EngineSpec | UpstreamSpec

/** Settings of an engine without settings: a target that has some is refused when the configuration
 *  is loaded. */
export const noSettings = Type.Object({}, { additionalProperties: false })

interface DeclaredDriver {
  /** Name in the YAML (`driver: comfyui`). */
  id: string
  title: string
  /** Settings of a target; fields marked `secret: true` are never printed. */
  settings: TObject
  /** Opens the driver, whose offers state what it serves. Called once at start. */
  open(tools: DriverTools): Driver
}

/** Runs inside this program. */
export interface EngineSpec extends DeclaredDriver {
  kind: 'engine'
  /** The capabilities that the engine serves without any configuration. The catalogue needs them
   *  before a driver is opened. */
  capabilities: readonly (keyof Offers)[]
  /** Its named models; families declare with `takesModelsOf` which engines they accept. */
  models?: readonly EngineModel[]
  /** The voices it speaks with. */
  voices?: readonly OwnVoice[]
  /** The slide templates it offers, sorted by id. */
  templates?: readonly SlidesTemplate[]
  /** Files it needs, which `npm run setup` installs. */
  packs?: readonly Pack[]
  /** Section of the YAML with the settings of its built-in targets; members ending in `_env` name
   *  environment variables. */
  section?: string
  /** Commands for the operator: `gateway <id> <name>`. */
  commands?: Readonly<Record<string, EngineCommand>>
}

export interface EngineCommand {
  /** One line for the list of commands. */
  says: string
  /** The text that `--help` prints. */
  help: string
  /** Runs the command. Throws a GatewayError for a problem that the operator can fix. */
  run(args: string[], tools: { dataDirectory: string; print(text: string): void }): Promise<void>
}

/** A driver that calls an upstream; `serviceDriver`
 *  (`src/drivers/shared/upstream/service-driver.ts`) makes one. */
export interface UpstreamSpec extends DeclaredDriver {
  kind: 'upstream'
}

/** Access to the engine packs on this machine. */
export interface PackFiles {
  /** Path of a file of a pack; undefined while the pack is not ready. Looked up on each call,
   *  because a pack may be added while the gateway runs. */
  file(pack: string, name: string): string | undefined
  /** A sentence for a missing pack: what it is, and the command that installs it. */
  howToGet(pack: string): string
}

export type EnginePriority = 'low' | 'normal'

export interface DriverTools {
  packs: PackFiles
  /** Reads and converts untrusted files in separate processes. Drivers pass every file of a caller
   *  or an upstream to it and parse none themselves. */
  inspection: Inspection
  /** Parent folder of the scratch folders of all jobs: the only place an engine process may write
   *  to. */
  scratchDirectory: string
  /** Folder for data that this driver keeps; the driver creates it at its first write. */
  dataDirectory: string
  /** Number of processes an engine may run; 0 parks the engine: its tasks wait. */
  cores: number
  /** Scheduling priority of the engines' processes (`GATEWAY_ENGINE_PRIORITY`); `low` when
   *  absent. */
  priority?: EnginePriority
  /** True when URLs in an upstream's answers may point to private addresses
   *  (`GATEWAY_ALLOW_PRIVATE_URLS`). */
  allowPrivateUrls: boolean
  log: { info(fields: JsonObject, message: string): void; warn(fields: JsonObject, message: string): void }
}

/** Declares a driver; returns the same object with its type checked. */
export function defineDriver(spec: DriverSpec): DriverSpec {
  return spec
}

/** Declares an engine. Each of its offers is marked repeatable: an engine works on this machine, so
 *  an interrupted run ended with its processes, cost nothing, and its outcome is never unknown. */
export function defineEngine(spec: EngineSpec): EngineSpec {
  return { ...spec, open: tools => withRepeatableOffers(spec.open(tools)) }
}

/** Returns the same driver. An engine makes its offers anew at each opening, so they can be marked
 *  in place. */
function withRepeatableOffers(driver: Driver): Driver {
  for (const offer of Object.values(driver.offers)) offer.isRepeatable = true
  return driver
}

/** Jobs of one engine that a node accepts at a time, for all accounts together. A waiting job holds
 *  little more than a scratch folder (docs/decisions/0033). */
export const engineSlots = 64

/** The queue of an engine; one account may have `accountSlots` jobs in it at a time. Without
 *  `cores` the queue is parked. */
export function engineQueue(id: string, { cores, accountSlots }: { cores: number; accountSlots: number }): Driver['queue'] {
  return { name: `engine:${id}`, slots: cores > 0 ? engineSlots : 0, accountSlots }
}

/** The reason why an engine without `cores` takes no jobs. `name` is what the engine produces:
 *  `music`. */
export function parkedBecause(name: string): string {
  return `The ${name} engine is parked: this gateway runs its engines with 0 processes (GATEWAY_ENGINE_WORKERS).`
}

/** An offer answered by one call of `run`. */
export function once<Request>(run: OnceOffer<Request>['run'], facts: OfferFacts<Request> = {}): OnceOffer<Request> {
  return { kind: 'once', run, ...facts }
}

/** An offer that yields its parts while they are made. */
export function streamed<Request, Event = never>(
  run: StreamedOffer<Request, Event>['run'],
  facts: OfferFacts<Request> = {},
): StreamedOffer<Request, Event> {
  return { kind: 'streamed', run, ...facts }
}

/** An offer that is started and then polled; its handle is saved before the first poll. */
export function polled<Request, Event = never>(offer: Omit<PolledOffer<Request, Event>, 'kind'>): PolledOffer<Request, Event> {
  return { kind: 'polled', ...offer }
}
