/** Returns the result in `kept` for `key`; the first call makes it with `load`. A result that
 *  cannot be made is not kept: callers that already wait for it get the error, and the next call
 *  tries again. */
export function loadOnce<Key, Result>(kept: Map<Key, Promise<Result>>, key: Key, load: () => Promise<Result>): Promise<Result> {
  const known = kept.get(key)
  if (known) return known
  const loading = load()
  kept.set(key, loading)
  loading.catch(() => kept.delete(key))
  return loading
}
