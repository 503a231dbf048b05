import type { OwnVoice } from '@generation-gateway/kit/requests/voices.ts'

/** Voices that the gateway can speak with. */
export interface Voices {
  /** Returns the voices of the installed engines, in their order, each with the named voices
   *  that it
   *  replaces. */
  ofEngines(): readonly OwnVoice[]
  /** Voices that the settings of targets name, of models the key may use, in the models' order. */
  ofTargets(): TargetVoice[]
}

/** A voice of a configured target. */
export interface TargetVoice {
  /** The name that callers send. */
  name: string
  /** The service's own name of the voice. */
  own: string
  /** Title of the service's driver. */
  maker: string
  /** The model that has the target. */
  model: string
}
