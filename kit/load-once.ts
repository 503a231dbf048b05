/** Returns the result for `key` from `kept`; the first call creates it with `load`. When `load`
 *  fails, all calls that wait for the result get the error, and the next call tries again. */
export function loadOnce<Key, Result>(kept: Map<Key, Promise<Result>>, key: Key, load: () => Promise<Result>): Promise<Result> {
  const known = kept.get(key)
  if (known) return known
  const loading = load()
  kept.set(key, loading)
  loading.catch(() => kept.delete(key))
  return loading
}
