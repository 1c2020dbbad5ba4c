import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

const USER_PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A device that holds one passkey (WebAuthn level 3): P-256, discoverable, verifies its person, without attestation. */
export class Authenticator {
  private readonly id = randomBytes(16);
  private readonly privateKey: KeyObject;
  private readonly x: Buffer;
  private readonly y: Buffer;
  private userHandle = '';
  private count = 0;

  /** @param origin of the page that asks, as the browser says it */
  constructor(private readonly origin: string) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    [this.x, this.y, this.privateKey] = [
      Buffer.from(x, 'base64url'),
      Buffer.from(y, 'base64url'),
      privateKey,
    ];
  }

  /** What `navigator.credentials.create` says. */
  create(options: PublicKeyCredentialCreationOptionsJSON): RegistrationResponseJSON {
    this.userHandle = options.user.id;
    const credential = [Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, this.coseKey()];
    const authData = Buffer.concat([this.authData(HAS_CREDENTIAL), ...credential]);
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', options.challenge).toString('base64url'),
      attestationObject: withoutAttestation(authData).toString('base64url'),
    });
  }

  /** What `navigator.credentials.get` says. */
  get({ challenge }: PublicKeyCredentialRequestOptionsJSON): AuthenticationResponseJSON {
    const clientData = this.clientData('webauthn.get', challenge);
    const authData = this.authData();
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.privateKey);
    return this.answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: this.userHandle,
    });
  }

  private answer<Response>(response: Response) {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {}, response };
  }

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  private authData(flags = 0): Buffer {
    const relyingParty = sha256(new URL(this.origin).hostname);
    const count = uint32((this.count += 1));
    return Buffer.concat([relyingParty, Buffer.from([USER_PRESENT_AND_VERIFIED | flags]), count]);
  }

  /** COSE (RFC 9053) in CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}. */
  private coseKey(): Buffer {
    const coordinate = (label: number, value: Buffer) => [Buffer.from([label, 0x58, 32]), value];
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
      ...coordinate(0x21, this.x),
      ...coordinate(0x22, this.y),
    ]);
  }
}

/** CBOR: {fmt: "none", attStmt: {}, authData}. */
function withoutAttestation(authData: Buffer): Buffer {
  const text = (value: string) => [Buffer.from([0x60 + value.length]), Buffer.from(value)];
  return Buffer.concat([
    Buffer.from([0xa3]),
    ...text('fmt'),
    ...text('none'),
    ...text('attStmt'),
    Buffer.from([0xa0]),
    ...text('authData'),
    Buffer.from([0x58, authData.length]),
    authData,
  ]);
}
