import type { Box } from '../model/page.ts'
import { fitText, type Paragraph, type Sizes } from '../type/fit.ts'

/** Returns the largest type size at which every text fits `box`; undefined when one of them does
 *  not fit at any size. Texts that stand side by side need the same type size. */
export function sharedSize(texts: readonly Paragraph[][], box: Box, sizes: Sizes, leading: number): number | undefined {
  let size = sizes.largest
  for (const paragraphs of texts) {
    const item = fitText(paragraphs, {
      box,
      sizes: { largest: size, smallest: sizes.smallest },
      leading,
      align: 'left',
      valign: 'top',
      colour: '#000000',
    })
    if (!item) return undefined
    size = item.size
  }
  return size
}
