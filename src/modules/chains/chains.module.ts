import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SpendsRepository } from './bitcoin/data/spends.repository.js';
import { ChainsJobs } from './chains.jobs.js';
import { ChainsMetrics } from './chains.metrics.js';
import { AddressesRepository } from './data/addresses/addresses.repository.js';
import { BalancesRepository } from './data/balances/balances.repository.js';
import { FactsRepository } from './data/facts.repository.js';
import { KnownAssetsRepository } from './data/known-assets.repository.js';
import { LedgerRepository } from './data/ledger.repository.js';
import { WatchLeaseRepository } from './data/watch-lease.repository.js';
import { FactsService } from './facts.service.js';
import { FeePrices } from './fees/fee-prices.service.js';
import { CollectingService } from './forwarders/collecting.service.js';
import { HoldingsRepository } from './forwarders/data/holdings.repository.js';
import { FactoryService } from './forwarders/factory.service.js';
import { HoldingsService } from './forwarders/holdings.service.js';
import { NetworkHealthService } from './network-health.service.js';
import { AssetDecimals } from './networks/asset-decimals.service.js';
import { KnownAssets } from './networks/known-assets.service.js';
import { NetworksService } from './networks/networks.service.js';
import { OutgoingService } from './outgoing/outgoing.service.js';
import { ReconciliationRepository } from './reconciliation/data/reconciliation.repository.js';
import { ReconciliationMetrics } from './reconciliation/reconciliation.metrics.js';
import { ReconciliationService } from './reconciliation/reconciliation.service.js';
import { ChainRepairService } from './repair/chain-repair.service.js';
import { AddressesService } from './wallets/addresses.service.js';
import { DestinationsRepository } from './wallets/data/destinations.repository.js';
import { ExtendedKeyEntity } from './wallets/data/extended-key.entity.js';
import { ExtendedKeysRepository } from './wallets/data/extended-keys.repository.js';
import { GapsRepository } from './wallets/data/gaps.repository.js';
import { OwnAddressEntity } from './wallets/data/own-address.entity.js';
import { OwnAddressesRepository } from './wallets/data/own-addresses.repository.js';
import { WalletEntity } from './wallets/data/wallet.entity.js';
import { WalletsRepository } from './wallets/data/wallets.repository.js';
import { DestinationsService } from './wallets/destinations.service.js';
import { ExtendedKeysService } from './wallets/extended-keys.service.js';
import { GapsService } from './wallets/gaps.service.js';
import { OwnAddressesService } from './wallets/own-addresses.service.js';
import { WalletScanner } from './wallets/scan/wallet-scanner.js';
import { WalletRecoveryService } from './wallets/wallet-recovery.service.js';
import { WalletSearchService } from './wallets/wallet-search.service.js';
import { WalletsService } from './wallets/wallets.service.js';
import { RestsRetention } from './watching/rests.retention.js';

const ENTITIES = [ExtendedKeyEntity, WalletEntity, OwnAddressEntity];

/** Addresses out, transfers in. Knows no other module; expects `Jobs`, `Retention` and the configuration to be global. */
@Module({
  imports: [TypeOrmModule.forFeature(ENTITIES)],
  providers: [
    NetworksService,
    WalletsService,
    AddressesService,
    FactsService,
    NetworkHealthService,
    ChainRepairService,
    ExtendedKeysService,
    ExtendedKeysRepository,
    OwnAddressesRepository,
    OwnAddressesService,
    DestinationsService,
    DestinationsRepository,
    FactoryService,
    CollectingService,
    OutgoingService,
    GapsService,
    GapsRepository,
    HoldingsService,
    HoldingsRepository,
    FeePrices,
    ChainsMetrics,
    ChainsJobs,
    RestsRetention,
    AssetDecimals,
    KnownAssets,
    KnownAssetsRepository,
    LedgerRepository,
    SpendsRepository,
    AddressesRepository,
    BalancesRepository,
    FactsRepository,
    WalletsRepository,
    WalletRecoveryService,
    WalletScanner,
    WalletSearchService,
    WatchLeaseRepository,
    ReconciliationRepository,
    ReconciliationService,
    ReconciliationMetrics,
  ],
  exports: [
    AssetDecimals,
    NetworksService,
    WalletsService,
    AddressesService,
    FactsService,
    NetworkHealthService,
    FeePrices,
    ChainRepairService,
    ExtendedKeysService,
    OwnAddressesService,
    DestinationsService,
    FactoryService,
    CollectingService,
    OutgoingService,
    GapsService,
    HoldingsService,
    ReconciliationService,
    WalletRecoveryService,
  ],
})
export class ChainsModule {}
