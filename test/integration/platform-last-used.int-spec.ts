import { DataSource } from 'typeorm';
import { ApiKeysService } from '../../src/modules/auth/api-keys.service.js';
import { PrincipalsService } from '../../src/modules/auth/principals.service.js';
import { Service } from '../support/service.js';

let service: Service;
beforeAll(async () => (service = await Service.start()));
afterAll(() => service.stop());

it('keeps when a key was used until the database has it', async () => {
  const { merchantId, key } = await service.shop();
  const principals = service.app.get(PrincipalsService);
  const lastUsed = async () => (await service.app.get(ApiKeysService).list(merchantId))[0]?.lastUsedAt;
  const write = jest
    .spyOn(service.app.get(DataSource), 'query')
    .mockRejectedValueOnce(new Error('connect ECONNREFUSED'));
  await principals.find(key);
  await expect(principals.flushLastUsed()).rejects.toThrow('ECONNREFUSED');
  write.mockRestore();
  expect(await lastUsed()).toBeNull();
  await principals.flushLastUsed();
  expect(await lastUsed()).toBeInstanceOf(Date);
});
