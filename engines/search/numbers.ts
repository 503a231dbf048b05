const units: Readonly<Record<string, number>> = { k: 1e3, w: 1e4, 万: 1e4, m: 1e6, 亿: 1e8, b: 1e9 }
const number = /([\d,]*\.?\d+)\s*([万亿]|[kwmb](?![a-z])|[mb](?=n\b|illion))?/iu

/** Returns a number, or the first one in a text, as hot lists show it: `1,234`, `12.3w`, `1.2万`,
 *  `4.5k`, `3 million`; 0 when there is none. A letter at the start of another word is no unit:
 *  `12 books` are 12. */
export function countOf(given: unknown): number {
  if (typeof given === 'number') return given > 0 && Number.isFinite(given) ? Math.min(Number.MAX_SAFE_INTEGER, Math.round(given)) : 0
  // Only the first 40 characters are matched, because matching a very long text would be slow.
  const found = typeof given === 'string' ? number.exec(given.slice(0, 40)) : null
  if (!found) return 0
  const [, digits = '', unit = ''] = found
  return Math.min(Number.MAX_SAFE_INTEGER, Math.round(Number(digits.replaceAll(',', '')) * (units[unit.toLowerCase()] ?? 1)))
}
