/** What a process of the inspection does. Third-party code reads foreign bytes here: nothing but the process of the inspection and tests calls it. */
import { GatewayError, toGatewayError } from '../errors.ts'
import { probeVideo } from '../video/probe.ts'
import { readMediaFile } from './media-header.ts'
import { convertPicture, drawMask, fitFrame, reshapeMask } from './pixel-work.ts'

type Method = (payload: never) => Promise<unknown>

export const inspectionMethods: Record<string, Method> = {
  readMedia: knownErrors(({ path }: { path: string }) => readMediaFile(path)),
  probeVideo: knownErrors(({ path }: { path: string }) => probeVideo(path)),
  convertPicture: knownErrors(convertPicture),
  fitFrame: knownErrors(fitFrame),
  reshapeMask: knownErrors(reshapeMask),
  drawMask: knownErrors(drawMask),
}

/** A full disk is known by its code, which no other error keeps on its way to the gateway. */
function knownErrors<Payload>(method: (payload: Payload) => Promise<unknown>): (payload: Payload) => Promise<unknown> {
  return payload =>
    method(payload).catch(error => {
      const known = toGatewayError(error)
      throw known instanceof GatewayError && known.code === 'internal_error' ? error : known
    })
}
