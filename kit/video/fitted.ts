/** ffmpeg filters that fit a picture of any shape to a size in pixels. */

interface FitOptions {
  /** Width of the result, pixels. */
  width: number
  height: number
  /** `stretch` distorts a picture with another aspect ratio, `pad` adds black borders, `crop` cuts
   *  off two sides. */
  fit: 'stretch' | 'pad' | 'crop'
  /** Further options of ffmpeg's filter `scale`, as in `flags=bicubic`. */
  options?: string
}

/** Returns the filters. The aspect ratio of the picture is the one in which players show it: a
 *  video may have pixels that are not square. ffmpeg's own `force_original_aspect_ratio` takes all
 *  pixels for square. */
export function fitted({ width, height, fit, options }: FitOptions): string {
  const more = options === undefined ? '' : `:${options}`
  if (fit === 'stretch') return `scale=${width}:${height}${more}`
  const side = fit === 'pad' ? 'min' : 'max'
  const scale = `scale=round(${side}(${width}\\,${height}*dar)):round(${side}(${height}\\,${width}/dar))${more}`
  return fit === 'pad' ? `${scale},pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2` : `${scale},crop=${width}:${height}`
}
