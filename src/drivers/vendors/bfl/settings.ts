import { modelGroups } from '../../shared/upstream/model-groups.ts'
import { serviceSettings } from '../../shared/upstream/service-settings.ts'
import { groups } from './models.ts'

/** The domain of all API hosts of the vendor. */
export const vendorDomain = 'bfl.ai'
const usualBaseUrl = `https://api.${vendorDomain}`

export const models = modelGroups({ driver: 'bfl', groups })

export const settings = serviceSettings({
  driver: 'bfl',
  baseUrl: `The vendor's API, with or without /v1. Default: ${usualBaseUrl}; https://api.eu.${vendorDomain} and https://api.us.${vendorDomain} keep the data in a region.`,
  usualBaseUrl,
  apiKey: 'A key of the vendor, sent as x-key.',
  needsKey: true,
  keyHeader: 'x-key',
  version: '/v1',
  own: models.setting,
})
