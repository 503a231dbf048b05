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
  /** The name that the engine uses for the model; a target in the configuration states it as
   *  `model`. */
  name: string
  /** Rank among the engine's models. The default model is the usable one with the highest rank, or
   *  the first one when no usable model has a rank. */
  rank?: number
  /** Notes about the model, for the docs. */
  notes?: string
}

/** The declaration of a driver. It is read by the catalogue, the settings form, the command
 *  `doctor` and the shared driver suite. */
export type DriverSpec = EngineSpec | UpstreamSpec

/** Schema for engines without settings. The configuration is refused when a target of such an
 *  engine has settings. */
export const noSettings = Type.Object({}, { additionalProperties: false })

interface DeclaredDriver {
  /** Name of the driver in the configuration file (`driver: comfyui`). */
  id: string
  title: string
  /** Settings of a target; fields marked `secret: true` are never printed. */
  settings: TObject
  /** Opens the driver; its offers state which capabilities it serves. Called once when the gateway
   *  starts. */
  open(tools: DriverTools): Driver
}

/** The declaration of an engine, a driver that runs inside this program. */
export interface EngineSpec extends DeclaredDriver {
  kind: 'engine'
  /** The capabilities that the engine serves without any configuration. They are declared here
   *  because the catalogue is built before a driver is opened. */
  capabilities: readonly (keyof Offers)[]
  /** The models that callers can select by name. A family declares with `takesModelsOf` which
   *  engines' models it accepts. */
  models?: readonly EngineModel[]
  /** The voices with which the engine speaks. */
  voices?: readonly OwnVoice[]
  /** The slide templates that the engine offers, sorted by id. */
  templates?: readonly SlidesTemplate[]
  /** The files that the engine needs, which `npm run setup` installs. */
  packs?: readonly Pack[]
  /** Name of the YAML section with settings for the models that the engine serves without
   *  configured targets. Its members that end in `_env` contain names of environment variables. */
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
  /** Returns the origin to which a target's requests are sent, and the target's proxy and
   *  certificate settings; undefined when the settings contain no usable address. */
  addressOf?(settings: JsonObject): { origin: string; route: RouteSettings } | undefined
}

/** Access to the engine packs on this machine. */
export interface PackFiles {
  /** Returns the path of a file in a pack; undefined while the pack is not installed. Each call
   *  looks again, because a pack may be installed while the gateway runs. */
  file(pack: string, name: string): string | undefined
  /** Returns a sentence about a missing pack, with the command that installs it. */
  howToGet(pack: string): string
}

export type EnginePriority = 'low' | 'normal'

export interface DriverTools {
  packs: PackFiles
  /** Reads and converts untrusted files in separate processes. A driver must not parse a file of a
   *  caller or an upstream itself; it passes the file to the inspection. */
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
  /** Decides whether a connection of the driver uses a proxy, and which certificates it trusts. */
  outbound: Outbound
  log: { info(fields: JsonObject, message: string): void; warn(fields: JsonObject, message: string): void }
}

/** Declares a driver; returns the same object with its type checked. */
export function defineDriver(spec: DriverSpec): DriverSpec {
  return spec
}

/** Declares an engine and marks each of its offers as repeatable. Repeating is safe because an
 *  engine works on this machine: after an interruption its processes have ended, so no earlier run
 *  can still finish or cost anything. */
export function defineEngine(spec: EngineSpec): EngineSpec {
  return { ...spec, open: tools => withRepeatableOffers(spec.open(tools)) }
}

/** Returns the same driver with its offers marked as repeatable. The offers are changed in place,
 *  which is safe because an engine creates new offers each time it is opened. */
function withRepeatableOffers(driver: Driver): Driver {
  for (const offer of Object.values(driver.offers)) offer.isRepeatable = true
  return driver
}

/** Number of jobs of one engine that a node accepts at a time, for all accounts together. A waiting
 *  job takes little more than a scratch folder (docs/decisions/0033). */
export const engineSlots = 64

/** Returns the queue of an engine; one account may have `accountSlots` jobs in it at a time. When
 *  `cores` is 0, the jobs stay in the queue and none runs. */
export function engineQueue(id: string, { cores, accountSlots }: { cores: number; accountSlots: number }): Driver['queue'] {
  return { name: `${engineQueues}${id}`, slots: cores > 0 ? engineSlots : 0, accountSlots }
}

/** Beginning of the names of the engines' queues. */
const engineQueues = 'engine:'

/** Returns true for the name of an engine's queue, even when that engine is not installed. */
export function isEngineQueue(name: string): boolean {
  return name.startsWith(engineQueues)
}

/** Returns the reason why an engine with 0 `cores` accepts no jobs. `name` is what the engine
 *  produces: `music`. */
export function parkedBecause(name: string): string {
  return `The ${name} engine is parked: this gateway runs its engines with 0 processes (GATEWAY_ENGINE_WORKERS).`
}

/** Returns an offer whose outcome is the result of one call of `run`. */
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
