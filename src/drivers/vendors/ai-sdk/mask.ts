/** Builds the mask of an edit in the form that a service reads, from a mask file or from
 *  polygons. */
import { GatewayError, UnsafeFileError } from '@generation-gateway/kit/errors.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { InspectionCaller } from '@generation-gateway/kit/media/inspection-caller.ts'
import type { DrawnMask, MaskForm } from '@generation-gateway/kit/media/pixel-work.ts'

interface MaskInput extends InspectionCaller {
  form: MaskForm
  /** The given mask: a file, or polygons on a picture of a given size. */
  given: string | Omit<DrawnMask, keyof InspectionCaller>
}

/** Returns the mask in this form as PNG. The area that may be changed is white, or transparent in
 *  the form `transparent`; everything else is black. A mask with transparent pixels marks the area
 *  by them, any other mask by its white pixels. Throws `invalid_input_file` for a mask that cannot
 *  be decoded, and the errors of the inspection. */
export async function maskOf(inspection: Inspection, { form, given, signal, account }: MaskInput): Promise<Buffer> {
  const isFile = typeof given === 'string'
  const mask = isFile ? given : await inspection.drawMask({ ...given, signal, account })
  try {
    const reshaped = await inspection.reshapeMask({ form, mask, signal, account })
    if (reshaped) return Buffer.from(reshaped)
  } catch (error) {
    // The fault is in the caller's mask, not in the target.
    if (!(error instanceof UnsafeFileError)) throw error
  }
  throw new GatewayError('invalid_input_file', 'mask: the picture cannot be decoded.', { field: 'mask' })
}
