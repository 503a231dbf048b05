/** Whisper's mel filters (its paper, section 2.2): 80 triangles on the scale of Slaney (1998), each
 *  of area one, over the 201 bands of a 400-point transform at 16 kHz. */

const sampleRate = 16_000
const bands = 201
export const melFilters = { count: 80, bands }

const linearTop = 1000
const hertzPerMel = 200 / 3
const logStep = Math.log(6.4) / 27

function melOf(hertz: number): number {
  return hertz < linearTop ? hertz / hertzPerMel : linearTop / hertzPerMel + Math.log(hertz / linearTop) / logStep
}

function hertzOf(mel: number): number {
  const knee = linearTop / hertzPerMel
  return mel < knee ? mel * hertzPerMel : linearTop * Math.exp(logStep * (mel - knee))
}

/** Returns the filters row after row. */
export function melFilterBank(): Float32Array {
  const { count } = melFilters
  const most = melOf(sampleRate / 2)
  const edges = Array.from({ length: count + 2 }, (_, index) => hertzOf((most * index) / (count + 1)))
  const bank = new Float32Array(count * bands)
  for (let filter = 0; filter < count; filter++) {
    const [low = 0, middle = 0, high = 0] = edges.slice(filter, filter + 3)
    for (let band = 0; band < bands; band++) {
      const hertz = (band * sampleRate) / 2 / (bands - 1)
      const rise = (hertz - low) / (middle - low)
      const fall = (high - hertz) / (high - middle)
      // The height of the triangle is rounded to 32 bits before its area is normalised, as in the
      // file that OpenAI publishes.
      bank[filter * bands + band] = Math.fround(Math.max(0, Math.min(rise, fall))) * (2 / (high - low))
    }
  }
  return bank
}
