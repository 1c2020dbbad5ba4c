import { Controller, Get, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { accessOf, declareAccess, OpenToAll, requireAccess } from './route-access.js';

const applicationOf = async (controller: new () => object) => {
  @Module({ controllers: [controller] })
  class Example {}
  return NestFactory.createApplicationContext(Example, { logger: false });
};

it('a handler says why it is open to all, and where its change is recorded', () => {
  class Pages {
    @OpenToAll('they are public', { unrecorded: 'nothing is stored' })
    show(this: void): void {}
  }
  expect(accessOf(Pages.prototype.show)).toEqual({
    by: 'open',
    why: 'they are public',
    unrecorded: 'nothing is stored',
  });
});

it('a handler says it once', () => {
  const declare = () => {
    class Pages {
      @OpenToAll('they are public')
      @declareAccess({ by: 'api-scope', unrecorded: null })
      show(): void {}
    }
    return Pages;
  };
  expect(declare).toThrow('Pages.show says twice who it answers');
});

it('every handler that does not say it is named, and what is no handler is not', async () => {
  @Controller()
  class Pages {
    @Get()
    @OpenToAll('it is public')
    show(): void {}
    @Get('other')
    other(): void {}
    @Post()
    change(): void {}
    model(): void {}
  }
  const app = await applicationOf(Pages);
  expect(() => requireAccess(app)).toThrow(
    'Not said who may ask (Allow, RequireScope or OpenToAll): Pages.other, Pages.change',
  );
});

it('an application in which each says it starts', async () => {
  @Controller()
  class Pages {
    @Get()
    @OpenToAll('it is public')
    show(): void {}
  }
  const app = await applicationOf(Pages);
  expect(() => requireAccess(app)).not.toThrow();
});
