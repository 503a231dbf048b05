/** Creates the mask of an edit, in the form that a service accepts, from a mask file or from
 *  polygons. */
import { GatewayError, UnsafeFileError } from '@generation-gateway/kit/errors.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { InspectionCaller } from '@generation-gateway/kit/media/inspection-caller.ts'
import type { DrawnMask, MaskForm } from '@generation-gateway/kit/media/pixel-work.ts'

interface MaskInput extends InspectionCaller {
  form: MaskForm
  /** The caller's mask: the path of a file, or polygons on a picture of a given size. */
  given: string | Omit<DrawnMask, keyof InspectionCaller>
}

/** Returns the mask as PNG. The area that may change is white, or transparent if `form` is
 *  `transparent`. All other pixels are black. In the caller's file, the area that may change is
 *  transparent if the file has transparent pixels; otherwise it is white. Throws
 *  `invalid_input_file` for a mask that cannot be decoded, and the errors of the inspection. */
export async function maskOf(inspection: Inspection, { form, given, signal, account }: MaskInput): Promise<Buffer> {
  const isFile = typeof given === 'string'
  const mask = isFile ? given : await inspection.drawMask({ ...given, signal, account })
  try {
    const reshaped = await inspection.reshapeMask({ form, mask, signal, account })
    if (reshaped) return Buffer.from(reshaped)
  } catch (error) {
    // An unsafe file is the caller's fault: it is reported below as `invalid_input_file` instead of
    // a failure of the target.
    if (!(error instanceof UnsafeFileError)) throw error
  }
  throw new GatewayError('invalid_input_file', 'mask: the picture cannot be decoded.', { field: 'mask' })
}
