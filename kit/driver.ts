import Type, { type TObject } from 'typebox'
import type { JsonObject } from './json.ts'
import type { Inspection } from './media/inspection.ts'
import type { Pack } from './packs.ts'
import type { Capability } from './requests/capabilities.ts'
import type { Driver, OfferFacts, Offers, OnceOffer, PolledOffer, StreamedOffer } from './requests/job.ts'
import type { SlidesTemplate } from './requests/slides.ts'
import type { OwnVoice } from './requests/voices.ts'

/** A model that an engine has without any configuration. */
export interface EngineModel {
  /** As callers name it. */
  id: string
  title: string
  capability: Capability
  /** The engine's own name of it: what a target gives as `model`. */
  name: string
  /** Of ranked models that can be used the one with the highest rank is the default; without any it is the first one. */
  rank?: number
  /** Facts for the docs. */
  notes?: string
}

/** A driver's declaration: what the catalogue, the settings form, `doctor` and the shared driver suite read. */
export type DriverSpec = EngineSpec | UpstreamSpec

/** Settings of an engine that has none: a target with some is refused when the configuration is loaded. */
export const noSettings = Type.Object({}, { additionalProperties: false })

interface DeclaredDriver {
  /** Name in the YAML (`driver: comfyui`). */
  id: string
  title: string
  /** Settings of a target; fields marked `secret: true` are never printed. */
  settings: TObject
  /** Makes the running driver, whose offers say what it can serve. Called once at start. */
  open(tools: DriverTools): Driver
}

/** Runs inside this program. */
export interface EngineSpec extends DeclaredDriver {
  kind: 'engine'
  /** What it serves without any configuration: the catalogue is made before a driver is opened. */
  capabilities: readonly (keyof Offers)[]
  /** Its models, where they have names of their own; families say what they take (`takesModelsOf`). */
  models?: readonly EngineModel[]
  /** Voices that it speaks with. */
  voices?: readonly OwnVoice[]
  /** Templates that its slides can have, in the order of their ids. */
  templates?: readonly SlidesTemplate[]
  /** Files that it needs and `npm run setup` adds. */
  packs?: readonly Pack[]
  /** Section of the YAML that gives the settings of its built-in targets; `..._env` members name variables. */
  section?: string
  /** What an operator may do with it: `gateway <id> <name>`. */
  commands?: Readonly<Record<string, EngineCommand>>
}

export interface EngineCommand {
  /** One line for the list. */
  says: string
  /** What `--help` prints. */
  help: string
  /** Throws a GatewayError for what the operator can mend. */
  run(args: string[], tools: { dataDirectory: string; print(text: string): void }): Promise<void>
}

/** Speaks to a service: `serviceDriver` (`src/drivers/shared/upstream/service-driver.ts`) makes one. */
export interface UpstreamSpec extends DeclaredDriver {
  kind: 'upstream'
}

/** Files of engine packs that are on this machine. */
export interface PackFiles {
  /** Path of a file of a pack; undefined while the pack is not ready. Looked up each time: a pack may be added while the gateway runs. */
  file(pack: string, name: string): string | undefined
  /** A sentence for a pack that is not ready: what it is and the command that adds it. */
  howToGet(pack: string): string
}

export type EnginePriority = 'low' | 'normal'

export interface DriverTools {
  packs: PackFiles
  /** Reads and changes foreign files in processes of its own: drivers hand every file of a caller or an upstream to it, and to no parser of their own. */
  inspection: Inspection
  /** Folder that holds the scratch folders of all jobs: the only place an engine process may write to. */
  scratchDirectory: string
  /** Folder of this driver alone, for what it keeps; it makes it when it first writes. */
  dataDirectory: string
  /** Processes an engine may run; 0 parks it: its tasks wait. */
  cores: number
  /** Of the engines' processes (`GATEWAY_ENGINE_PRIORITY`); `low` where it is not given. */
  priority?: EnginePriority
  /** Whether URLs inside an upstream's answers may be on private addresses (`GATEWAY_ALLOW_PRIVATE_URLS`). */
  allowPrivateUrls: boolean
  log: { info(fields: JsonObject, message: string): void; warn(fields: JsonObject, message: string): void }
}

/** Declares a driver; the identity function with the types pinned. */
export function defineDriver(spec: DriverSpec): DriverSpec {
  return spec
}

/** Declares an engine. Each of its offers is repeatable: an engine works on this machine, so a run that broke off
 *  has ended with its processes, nothing is charged for it, and its outcome is never unknown. */
export function defineEngine(spec: EngineSpec): EngineSpec {
  return { ...spec, open: tools => withRepeatableOffers(spec.open(tools)) }
}

/** The same driver: an engine makes its offers anew at each opening, so they are marked in place. */
function withRepeatableOffers(driver: Driver): Driver {
  for (const offer of Object.values(driver.offers)) offer.isRepeatable = true
  return driver
}

/** Jobs that one node takes in of an engine, of all accounts together: a job that waits for its turn has little more than a scratch folder (docs/decisions/0033). */
export const engineSlots = 64

/** The queue of an engine, of which one account may have `accountSlots` jobs at a time; without `cores` it is parked. */
export function engineQueue(id: string, { cores, accountSlots }: { cores: number; accountSlots: number }): Driver['queue'] {
  return { name: `engine:${id}`, slots: cores > 0 ? engineSlots : 0, accountSlots }
}

/** Why an engine without `cores` takes no jobs. `name` is what it makes: `music`. */
export function parkedBecause(name: string): string {
  return `The ${name} engine is parked: this gateway runs its engines with 0 processes (GATEWAY_ENGINE_WORKERS).`
}

/** An offer answered by one call of `run`. */
export function once<Request>(run: OnceOffer<Request>['run'], facts: OfferFacts<Request> = {}): OnceOffer<Request> {
  return { kind: 'once', run, ...facts }
}

/** An offer that yields its parts as they come. */
export function streamed<Request, Event = never>(
  run: StreamedOffer<Request, Event>['run'],
  facts: OfferFacts<Request> = {},
): StreamedOffer<Request, Event> {
  return { kind: 'streamed', run, ...facts }
}

/** An offer that is started, then looked at; its handle is saved before the first look. */
export function polled<Request, Event = never>(offer: Omit<PolledOffer<Request, Event>, 'kind'>): PolledOffer<Request, Event> {
  return { kind: 'polled', ...offer }
}
