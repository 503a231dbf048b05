const prefix = 'shape of '

/** Returns the look that gives a thing the outline of another drawing: "a cloud shaped like a
 *  whale", "a star-shaped cookie". */
export function shapeOf(key: string): string {
  return `${prefix}${key}`
}

/** Returns the key of the drawing whose outline a look uses; undefined for other looks. */
export function outlineOf(look: string): string | undefined {
  return look.startsWith(prefix) ? look.slice(prefix.length) : undefined
}
