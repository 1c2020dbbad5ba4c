import tls, { type SecureContextOptions } from 'node:tls';
import { CERTIFICATE } from './shop-certificate.js';

/** Until mocks are restored, every client in here trusts the shop's certificate, whatever name it dials. */
export function trustShop(): void {
  const make = tls.createSecureContext.bind(tls);
  jest
    .spyOn(tls, 'createSecureContext')
    .mockImplementation((options: SecureContextOptions = {}) => make({ ...options, ca: CERTIFICATE }));
  jest.spyOn(tls, 'checkServerIdentity').mockReturnValue(undefined);
}
