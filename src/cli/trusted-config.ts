import { readCaFile, trust } from '@generation-gateway/kit/outbound/ca-file.ts'
import { type Config, readConfig } from '../config/settings.ts'

/** Returns the settings for a command that connects to the store itself: this process trusts the
 *  authorities of `GATEWAY_CA_FILE` from then on. Throws as `readConfig` and `readCaFile` do. */
export function readTrustedConfig(): Config {
  const config = readConfig(process.env)
  const { caFile } = config.outbound
  if (caFile !== undefined) trust(readCaFile(caFile, 'GATEWAY_CA_FILE'))
  return config
}
