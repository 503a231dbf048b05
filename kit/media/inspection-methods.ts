/** The methods of an inspection process. Third-party code reads untrusted bytes here, so only the
 *  inspection process and tests may call them. */
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

/** Returns the method with one change: a full disk is reported as a GatewayError. Without this
 *  change the gateway could not recognize it, because the code of the system error is lost when the
 *  error is sent from this process to the gateway. */
function knownErrors<Payload>(method: (payload: Payload) => Promise<unknown>): (payload: Payload) => Promise<unknown> {
  return payload =>
    method(payload).catch(error => {
      const known = toGatewayError(error)
      throw known instanceof GatewayError && known.code === 'internal_error' ? error : known
    })
}
