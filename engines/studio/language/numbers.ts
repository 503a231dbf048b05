const digits: Record<string, number> = { 〇: 0, 零: 0, 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 }

/** Returns the value of a count in digits (`12`, at most nine) or in Chinese numerals from 10 to 99
 *  (`十二`, `二十`); undefined for other text. */
export function readNumber(text: string): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const tens = /^([一二两三四五六七八九]?)十([一二三四五六七八九]?)$/.exec(text)
  if (tens) return (digits[tens[1] ?? ''] ?? 1) * 10 + (digits[tens[2] ?? ''] ?? 0)
  return undefined
}
