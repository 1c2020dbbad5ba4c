import { DataSource } from 'typeorm';
import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import { PrincipalsService } from '../../../src/modules/auth/principals.service.js';
import { Service } from '../../support/service/service.js';

let service: Service;
beforeAll(async () => (service = await Service.start()));
afterAll(() => service.stop());

it('keeps when a key was used until the database has it', async () => {
  const { merchantId, key } = await service.shop();
  const principals = service.app.get(PrincipalsService);
  const lastUsed = async () => (await service.app.get(ApiKeysService).list(merchantId))[0]?.lastUsedAt;
  const dataSource = service.app.get(DataSource);
  const query = dataSource.query.bind(dataSource);
  // Jobs ask at any time: theirs is answered.
  const write = jest
    .spyOn(dataSource, 'query')
    .mockImplementation((text, values) =>
      text.includes('last_used') ? Promise.reject(new Error('connect ECONNREFUSED')) : query(text, values),
    );
  await principals.find(key);
  await expect(principals.flushLastUsed()).rejects.toThrow('ECONNREFUSED');
  write.mockRestore();
  expect(await lastUsed()).toBeNull();
  await principals.flushLastUsed();
  expect(await lastUsed()).toBeInstanceOf(Date);
});
