import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const pool = Buffer.alloc(10 * 256)
let poolUsed = pool.length
let lastTime = -1
let lastRandom = 0n

/** Returns a ULID in lower case: 26 characters for 48 bits of time (ms), a zero bit and 79
 *  random bits. The ids of one process sort in the order of their creation. */
export function newId(now: number): string {
  if (now <= lastTime) {
    lastRandom += 1n
  } else {
    lastTime = now
    lastRandom = random80()
  }
  return encodeTime(lastTime) + encodeRandom(lastRandom)
}

/** Returns an unguessable token of `bytes` random bytes in base 32. */
export function newSecret(bytes: number): string {
  let text = ''
  for (const byte of randomFillSync(Buffer.alloc(Math.ceil((bytes * 8) / 5)))) text += alphabet[byte & 31]
  return text
}

function random80(): bigint {
  if (poolUsed === pool.length) {
    randomFillSync(pool)
    poolUsed = 0
  }
  const high = pool.readUIntBE(poolUsed, 5)
  const low = pool.readUIntBE(poolUsed + 5, 5)
  poolUsed += 10
  // The highest bit stays 0, so that the number cannot overflow when it is incremented within a
  // millisecond. The operator `%` is used because `&` would keep only 32 bits.
  return (BigInt(high % 2 ** 39) << 40n) | BigInt(low)
}

function encodeTime(time: number): string {
  let text = ''
  let rest = time
  for (let i = 0; i < 10; i++) {
    text = alphabet[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}

function encodeRandom(value: bigint): string {
  let text = ''
  let high = Number(value >> 40n)
  let low = Number(value & 0xffffffffffn)
  for (let i = 0; i < 8; i++) {
    text = alphabet[low % 32] + text
    low = Math.floor(low / 32)
  }
  for (let i = 0; i < 8; i++) {
    text = alphabet[high % 32] + text
    high = Math.floor(high / 32)
  }
  return text
}
