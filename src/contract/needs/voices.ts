import type { OwnVoice } from '@generation-gateway/kit/requests/voices.ts'

/** Voices that the gateway can speak with. */
export interface Voices {
  /** Returns the voices of the installed engines, in the order of the engines. Each voice lists the
   *  names of the vendor's voices that it replaces (`speaksFor`). */
  ofEngines(): readonly OwnVoice[]
  /** Returns the voices that are listed in the settings of targets, in the order of the models.
   *  Only the targets of models that the key may use are included. */
  ofTargets(): TargetVoice[]
}

/** A voice of a configured target. */
export interface TargetVoice {
  /** The name that callers send. */
  name: string
  /** The name that the service itself gives the voice. */
  own: string
  /** Title of the driver that connects to the service. */
  maker: string
  /** The model that has the target. */
  model: string
}
