import Type, { type TObject } from 'typebox'
import type { JsonObject } from './json.ts'
import type { Inspection } from './media/inspection.ts'
import type { Outbound, RouteSettings } from './outbound/outbound.ts'
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
  /** Rank among the engine's models: the usable model with the highest rank is the default; without
   *  ranks it is the first model. */
  rank?: number
  /** Notes about the model, for the docs. */
  notes?: string
}

/** A driver's declaration, which the catalogue, the settings form, `doctor` and the shared driver
 *  suite read. */
export type DriverSpec = EngineSpec | UpstreamSpec

/** Schema for engines without settings: a target that has settings is refused when the
 *  configuration is loaded. */
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

/** The declaration of an engine, a driver that runs inside this program. */
export interface EngineSpec extends DeclaredDriver {
  kind: 'engine'
  /** The capabilities that the engine serves without any configuration. The catalogue needs them
   *  before a driver is opened. */
  capabilities: readonly (keyof Offers)[]
  /** The engine's named models; families declare with `takesModelsOf` which engines they accept. */
  models?: readonly EngineModel[]
  /** The voices with which the engine speaks. */
  voices?: readonly OwnVoice[]
  /** The slide templates that the engine offers, sorted by id. */
  templates?: readonly SlidesTemplate[]
  /** The files that the engine needs, which `npm run setup` installs. */
  packs?: readonly Pack[]
  /** Name of the section in the YAML with the settings of the engine's built-in targets; members
   *  ending in `_env` name environment variables. */
  section?: string
  /** Commands for the operator: `gateway <id> <name>`. */
  commands?: Readonly<Record<string, EngineCommand>>
}

export interface EngineCommand {
  /** One line about the command for the list of commands. */
  says: string
  /** The text that `--help` prints for the command. */
  help: string
  /** Runs the command. Throws a GatewayError for a problem that the operator can fix. */
  run(args: string[], tools: { dataDirectory: string; print(text: string): void }): Promise<void>
}

/** The declaration of a driver that calls an upstream; `serviceDriver`
 *  (`src/drivers/shared/upstream/service-driver.ts`) creates one. */
export interface UpstreamSpec extends DeclaredDriver {
  kind: 'upstream'
  /** Returns where the requests of a target go, and their way; undefined when its settings name no
   *  usable address. */
  addressOf?(settings: JsonObject): { origin: string; route: RouteSettings } | undefined
}

/** Access to the engine packs on this machine. */
export interface PackFiles {
  /** Returns the path of a file of a pack; undefined while the pack is not ready. Looked up on each
   *  call, because a pack may be added while the gateway runs. */
  file(pack: string, name: string): string | undefined
  /** Returns a sentence about a missing pack, with the command that installs it. */
  howToGet(pack: string): string
}

export type EnginePriority = 'low' | 'normal'

export interface DriverTools {
  packs: PackFiles
  /** Reads and converts untrusted files in separate processes. Drivers pass every file of a caller
   *  or an upstream to it and parse none themselves. */
  inspection: Inspection
  /** Parent folder of the scratch folders of all jobs: the only folder to which an engine process
   *  may write. */
  scratchDirectory: string
  /** Folder for data that this driver stores; the driver creates it at its first write. */
  dataDirectory: string
  /** Number of processes that an engine may run; with 0 the engine runs nothing and its tasks
   *  wait. */
  cores: number
  /** Scheduling priority of the engines' processes (`GATEWAY_ENGINE_PRIORITY`); `low` when
   *  absent. */
  priority?: EnginePriority
  /** True when URLs in an upstream's answers may point to private addresses
   *  (`GATEWAY_ALLOW_PRIVATE_URLS`). */
  allowPrivateUrls: boolean
  /** Decides how the driver's connections leave this machine. */
  outbound: Outbound
  log: { info(fields: JsonObject, message: string): void; warn(fields: JsonObject, message: string): void }
}

/** Declares a driver; returns the same object with its type checked. */
export function defineDriver(spec: DriverSpec): DriverSpec {
  return spec
}

/** Declares an engine. Each of its offers is marked repeatable: an engine works on this machine, so
 *  an interrupted run has ended with its processes, has cost nothing, and its outcome is never
 *  unknown. */
export function defineEngine(spec: EngineSpec): EngineSpec {
  return { ...spec, open: tools => withRepeatableOffers(spec.open(tools)) }
}

/** Returns the same driver with its offers marked repeatable. They can be marked in place, because
 *  an engine creates its offers anew at each opening. */
function withRepeatableOffers(driver: Driver): Driver {
  for (const offer of Object.values(driver.offers)) offer.isRepeatable = true
  return driver
}

/** Number of jobs of one engine that a node accepts at a time, for all accounts together. A waiting
 *  job holds little more than a scratch folder (docs/decisions/0033). */
export const engineSlots = 64

/** Returns the queue of an engine; one account may have `accountSlots` jobs in it at a time.
 *  Without `cores` its jobs wait and none is run. */
export function engineQueue(id: string, { cores, accountSlots }: { cores: number; accountSlots: number }): Driver['queue'] {
  return { name: `${engineQueues}${id}`, slots: cores > 0 ? engineSlots : 0, accountSlots }
}

/** Beginning of the names of the engines' queues. */
const engineQueues = 'engine:'

/** Returns true for the name of an engine's queue, also of an engine that is not installed. */
export function isEngineQueue(name: string): boolean {
  return name.startsWith(engineQueues)
}

/** Returns the reason why an engine without `cores` accepts no jobs. `name` is what the engine
 *  produces: `music`. */
export function parkedBecause(name: string): string {
  return `The ${name} engine is parked: this gateway runs its engines with 0 processes (GATEWAY_ENGINE_WORKERS).`
}

/** Returns an offer answered by one call of `run`. */
export function once<Request>(run: OnceOffer<Request>['run'], facts: OfferFacts<Request> = {}): OnceOffer<Request> {
  return { kind: 'once', run, ...facts }
}

/** Returns an offer that yields its parts while they are produced. */
export function streamed<Request, Event = never>(
  run: StreamedOffer<Request, Event>['run'],
  facts: OfferFacts<Request> = {},
): StreamedOffer<Request, Event> {
  return { kind: 'streamed', run, ...facts }
}

/** Returns an offer that is started and then polled; its handle is saved before the first poll. */
export function polled<Request, Event = never>(offer: Omit<PolledOffer<Request, Event>, 'kind'>): PolledOffer<Request, Event> {
  return { kind: 'polled', ...offer }
}
