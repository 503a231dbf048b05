/** Key and certificate of a server for `vendor.test` and its subdomains, and the certificate
 *  authority that has signed it, valid until 2126. The key is published with the source code, so
 *  it protects nothing and is only for tests. */
export const vendorIdentity = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgT5wJN7gm5BHZhE1x
uYAWp0uq+eRzfa0yH/3Fp2eN156hRANCAATPj4ahlDaMhurlBfFlTS51dmZF5TeE
xxmByrP8V/vzmxsHQSjLnxlE9o2UD4JlAtHT2x8XYnUJdi8G2t5sOziR
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBzjCCAXSgAwIBAgIUaYi75insF6QAgYzqUHY8dcMx+aYwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTI2MTYzODA4WhgPMjEy
NjExMDExNjM4MDhaMBYxFDASBgNVBAMMC3ZlbmRvci50ZXN0MFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEz4+GoZQ2jIbq5QXxZU0udXZmReU3hMcZgcqz/Ff785sb
B0Eoy58ZRPaNlA+CZQLR09sfF2J1CXYvBtrebDs4kaOBmjCBlzAlBgNVHREEHjAc
ggt2ZW5kb3IudGVzdIINKi52ZW5kb3IudGVzdDAJBgNVHRMEAjAAMA4GA1UdDwEB
/wQEAwIHgDATBgNVHSUEDDAKBggrBgEFBQcDATAdBgNVHQ4EFgQUrZsEErbqHhAk
TngcGKxtHmWB5ywwHwYDVR0jBBgwFoAUn0nL4TZ8WpDhJfxruH2F+4Ywo0wwCgYI
KoZIzj0EAwIDSAAwRQIgQts9hO7YosxnttZbYzcvQ+VKwuSbvebxejp806FOhVAC
IQCvfjhaqS829u+gv1d8Pk/AwrqvuS09csVJviww8OvdPA==
-----END CERTIFICATE-----`,
}

/** The certificate of the authority, which no operating system trusts. */
export const vendorAuthority = `-----BEGIN CERTIFICATE-----
MIIBmDCCAT+gAwIBAgIUJlcQFQBc4fB7Rysztezx25Ql7bowCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTI2MTYzODA4WhgPMjEy
NjExMDIxNjM4MDhaMBkxFzAVBgNVBAMMDlRlc3QgYXV0aG9yaXR5MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEvi+TFpRXFGVH7M4pvIvMDwet0+Fj/0Flxh06U+N2
o23aYmQbn6804XduZg2k+SysekpdyDfq53SjDfOCZO1VmqNjMGEwHQYDVR0OBBYE
FJ9Jy+E2fFqQ4SX8a7h9hfuGMKNMMB8GA1UdIwQYMBaAFJ9Jy+E2fFqQ4SX8a7h9
hfuGMKNMMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49
BAMCA0cAMEQCIFqR1pm1JSaJzr8OEjnW1opzQg583flUH63om8LZJeM2AiA3dyRY
vi+BLML2vbKN5FdSjSEw/J6UoeEOPOwfWCqKlw==
-----END CERTIFICATE-----
`
