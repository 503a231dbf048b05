/** The mask of an edit as services read it: the neutral one, or polygons. */
import { GatewayError, UnsafeFile } from '@generation-gateway/kit/errors.ts'
import type { Asker } from '@generation-gateway/kit/media/asker.ts'
import type { Inspection } from '@generation-gateway/kit/media/inspection.ts'
import type { DrawnMask, MaskForm } from '@generation-gateway/kit/media/pixel-work.ts'

interface GivenMask extends Asker {
  form: MaskForm
  /** A file, or polygons on a picture of a size. */
  given: string | Omit<DrawnMask, keyof Asker>
}

/** A mask in this form as PNG: white where the picture may be changed, and there transparent, and black elsewhere. Of a mask with transparent pixels these are the place, of any other the white ones.
 *  Throws `invalid_input_file` for what cannot be decoded, and what the inspection throws. */
export async function maskOf(inspection: Inspection, { form, given, signal, account }: GivenMask): Promise<Buffer> {
  const isFile = typeof given === 'string'
  const mask = isFile ? given : await inspection.drawMask({ ...given, signal, account })
  try {
    const reshaped = await inspection.reshapeMask({ form, mask, signal, account })
    if (reshaped) return Buffer.from(reshaped)
  } catch (error) {
    // The caller's, and no answer of the target.
    if (!(error instanceof UnsafeFile)) throw error
  }
  throw new GatewayError('invalid_input_file', 'mask: the picture cannot be decoded.', { field: 'mask' })
}
