import tls, { type SecureContextOptions } from 'node:tls';
import { CERTIFICATE, RSA_CERTIFICATE } from './shop-certificate.js';

/** Until mocks are restored, every client in here trusts the shop's certificates, whatever name it dials. */
export function trustShop(): void {
  const make = tls.createSecureContext.bind(tls);
  jest
    .spyOn(tls, 'createSecureContext')
    .mockImplementation((options: SecureContextOptions = {}) =>
      make({ ...options, ca: [CERTIFICATE, RSA_CERTIFICATE] }),
    );
  jest.spyOn(tls, 'checkServerIdentity').mockReturnValue(undefined);
}
