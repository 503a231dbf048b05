const prefix = 'shape of '

/** Returns the name of the look that gives a thing the outline of the drawing `key`, as in "a cloud
 *  shaped like a whale" and "a star-shaped cookie". */
export function shapeOf(key: string): string {
  return `${prefix}${key}`
}

/** Returns the key of the drawing whose outline a look uses; undefined for other looks. */
export function outlineOf(look: string): string | undefined {
  return look.startsWith(prefix) ? look.slice(prefix.length) : undefined
}
