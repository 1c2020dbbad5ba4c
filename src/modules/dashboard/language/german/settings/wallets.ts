/** Wallets: where the money goes. */
export const wallets = {
  Wallet: 'Wallet',
  'Set a wallet': 'Wallet festlegen',
  'All that is paid is yours alone. Each quote gets an address of its own: one that can pay out to your address and to nowhere else, or one of your wallet’s, derived from its extended public key. Rappen can move nothing.':
    'Alles, was bezahlt wird, gehört nur Ihnen. Jedes Angebot erhält eine eigene Adresse: eine, die nur an Ihre Adresse auszahlen kann und sonst nirgendwohin, oder eine Ihrer Wallet, abgeleitet aus deren erweitertem öffentlichem Schlüssel. Rappen kann nichts bewegen.',
  'Paid to|of a wallet': 'Geht an',
  'Next index': 'Nächster Index',
  'next index': 'nächster Index',
  'First set': 'Zuerst festgelegt',
  'first set': 'zuerst festgelegt',
  'none yet: not offered': 'noch keine: nicht angeboten',
  'used addresses are being searched: not offered yet':
    'benutzte Adressen werden noch gesucht: noch nicht angeboten',
  'Replace|a wallet': 'Ersetzen',
  'Add|a wallet': 'Hinzufügen',
  'the wallet for {network}': '(Wallet für {network})',
  'This instance serves no network yet. Its operator adds one.':
    'Diese Instanz bedient noch kein Netzwerk. Ihr Betreiber fügt eines hinzu.',
  'Issued addresses': 'Ausgegebene Adressen',
  'Gap limit': 'Gap-Limit',
  'Wallets look for money at the next 20 addresses or so after the last that was paid. Buyers who pick an asset and do not pay leave addresses unused. Raise your wallet’s gap limit to 100 or more, or it may not show money that is there.':
    'Wallets suchen Geld auf etwa 20 Adressen nach der letzten, die bezahlt wurde. Käufer, die eine Währung wählen und nicht bezahlen, lassen Adressen unbenutzt. Erhöhen Sie das Gap-Limit Ihrer Wallet auf 100 oder mehr, sonst zeigt sie vielleicht Geld nicht an, das da ist.',
  '{count} unpaid in a row': '{count} unbezahlte nacheinander',
  'After a restored backup': 'Nach dem Einspielen einer Sicherung',
  'A restored database may have forgotten addresses that were issued after the backup. Before anybody pays again, whoever operates this service runs <code>rappen wallet recover</code>, which asks the chains and goes on behind all that was used. Without that, skip so far ahead that none is issued twice.':
    'Eine wiederhergestellte Datenbank kennt Adressen vielleicht nicht mehr, die nach der Sicherung ausgegeben wurden. Bevor wieder jemand bezahlt, führt der Betreiber dieses Dienstes <code>rappen wallet recover</code> aus; das fragt die Blockchains ab und fährt hinter allem fort, was benutzt wurde. Geschieht das nicht, überspringen Sie so viele, dass keine zweimal ausgegeben wird.',
  'Skip addresses': 'Adressen überspringen',

  'Make an account of its own for Rappen in your wallet, and export its extended public key. Nothing is stored before you have compared addresses on the next page.':
    'Legen Sie in Ihrer Wallet ein eigenes Konto für Rappen an, und exportieren Sie dessen erweiterten öffentlichen Schlüssel. Gespeichert wird erst, wenn Sie auf der nächsten Seite Adressen verglichen haben.',
  'Extended public key': 'Erweiterter öffentlicher Schlüssel',
  'Never a private key or a seed phrase: Rappen needs neither, refuses both, and keeps neither.':
    'Nie einen privaten Schlüssel oder eine Seed-Phrase: Rappen braucht beides nicht, weist beides ab und behält nichts davon.',
  'Show its addresses': 'Seine Adressen zeigen',
  'Which key': 'Welcher Schlüssel',
  'All networks with Ethereum’s kind of address may share one key.':
    'Alle Netzwerke mit Adressen wie bei Ethereum dürfen denselben Schlüssel haben.',
  'the account m/44’/60’/0’, written xpub…': 'das Konto m/44’/60’/0’, geschrieben xpub…',
  'the account m/84’/1’/0’ of a test network, written vpub… or tpub…':
    'das Konto m/84’/1’/0’ eines Testnetzwerks, geschrieben vpub… oder tpub…',
  'the account m/84’/0’/0’, written zpub… or xpub…': 'das Konto m/84’/0’/0’, geschrieben zpub… oder xpub…',
  'the account m/84’/2’/0’, written zpub…, Ltub… or xpub…':
    'das Konto m/84’/2’/0’, geschrieben zpub…, Ltub… oder xpub…',

  'Compare the addresses': 'Adressen vergleichen',
  'These are the first three addresses of the key on {network}. Open your wallet, look at the first receiving addresses of the account, and compare all of them. If one differs, money would go where you cannot reach it: go back.':
    'Das sind die ersten drei Adressen des Schlüssels auf {network}. Öffnen Sie Ihre Wallet, sehen Sie sich die ersten Empfangsadressen des Kontos an, und vergleichen Sie alle. Ist eine anders, ginge Geld an einen Ort, den Sie nicht erreichen: Gehen Sie zurück.',
  'Address {index}': 'Adresse {index}',
  'This key is set for {network} already. Saving changes nothing.':
    'Dieser Schlüssel ist für {network} schon festgelegt. Speichern ändert nichts.',
  'Used before?': 'Schon benutzt?',
  'Not everything could be asked. You may save all the same: the search goes on by itself, and what was not asked is not offered to buyers before it is done.':
    'Nicht alles konnte abgefragt werden. Sie dürfen trotzdem speichern: Die Suche geht von selbst weiter, und was nicht abgefragt wurde, wird Käufern erst danach angeboten.',
  'The next address is the one at index {index}.': 'Die nächste Adresse ist jene mit Index {index}.',
  'Saved, it gives the addresses of quotes made from now on. Addresses that were issued before stay watched for ever.':
    'Ist er gespeichert, kommen die Adressen der Angebote ab jetzt von ihm. Früher ausgegebene Adressen werden für immer beobachtet.',
  'They are the same: save': 'Sie sind gleich: speichern',
  'They differ: go back': 'Sie sind verschieden: zurück',
  'Saved. Nobody can pay on {network} yet: its node has not said which addresses of this key were used before. The search goes on by itself, and then it is offered.':
    'Gespeichert. Auf {network} kann noch niemand bezahlen: Der Knoten hat noch nicht gesagt, welche Adressen dieses Schlüssels schon benutzt sind. Die Suche geht von selbst weiter, danach wird es angeboten.',
  'Saved. The next quote on {network} gets the address of this key at index {index}.':
    'Gespeichert. Das nächste Angebot auf {network} erhält die Adresse dieses Schlüssels mit Index {index}.',
  'Saved. The next quote on {network} gets the address of this key at index {index}. Not every network could be asked what was used before: see the audit log.':
    'Gespeichert. Das nächste Angebot auf {network} erhält die Adresse dieses Schlüssels mit Index {index}. Nicht jedes Netzwerk konnte nach früher Benutztem gefragt werden: siehe Protokoll.',

  'For a database that was restored from a backup: addresses that were issued after the backup must not be issued again. After a restore or a failover the operator’s <code>rappen wallet recover</code> finds by itself which indexes were used. To skip by hand, choose an index well above the last that your wallet has seen. It counts for every network that shares the key, and there is no way back.':
    'Für eine Datenbank, die aus einer Sicherung wiederhergestellt wurde: Adressen, die danach ausgegeben wurden, dürfen nicht noch einmal ausgegeben werden. Nach dem Wiederherstellen oder einem Wechsel der Datenbank findet der Betreiber mit <code>rappen wallet recover</code> von selbst, welche Indizes benutzt sind. Um von Hand zu überspringen, wählen Sie einen Index deutlich über dem letzten, den Ihre Wallet gesehen hat. Er gilt für jedes Netzwerk mit demselben Schlüssel, und es gibt keinen Weg zurück.',
  'Go on at index': 'Weiter bei Index',
  Skip: 'Überspringen',
  'There is no wallet yet. <set>Set one</set> first.':
    'Es gibt noch keine Wallet. <set>Legen Sie zuerst eine fest</set>.',
  '{network}: the next index is {index}': '{network}: Der nächste Index ist {index}',
  'The next address has index {index}.': 'Die nächste Adresse hat Index {index}.',

  'Paste the address that gets the money: of MetaMask or any other wallet, a hardware wallet, or a Safe. Nothing is stored before you have compared it on the next page.':
    'Fügen Sie die Adresse ein, die das Geld erhält: von MetaMask oder einer anderen Wallet, einer Hardware-Wallet oder einem Safe. Gespeichert wird erst, wenn Sie sie auf der nächsten Seite verglichen haben.',
  'Your address': 'Ihre Adresse',
  'It begins with 0x. Use one whose keys you hold: an exchange may not credit what a contract pays out. Never a private key or a seed phrase.':
    'Sie beginnt mit 0x. Nehmen Sie eine, deren Schlüssel Sie selbst haben: Eine Börse schreibt vielleicht nicht gut, was ein Contract auszahlt. Nie einen privaten Schlüssel oder eine Seed-Phrase.',
  'How it works': 'So funktioniert es',
  'Each payment gets a deposit address of its own. Its code can pay out to your address and to nowhere else, whoever calls it; there is no key for it anywhere. Collecting is one transaction for many payments.':
    'Jede Zahlung erhält eine eigene Empfangsadresse. Deren Code kann nur an Ihre Adresse auszahlen, wer ihn auch aufruft; einen Schlüssel dafür gibt es nirgends. Eingesammelt wird mit einer Transaktion für viele Zahlungen.',
  'This instance serves no network that can be paid to one address.':
    'Diese Instanz bedient kein Netzwerk, dessen Zahlungen an eine einzige Adresse gehen können.',
  'Not for {networks}: contract addresses are computed in another way there, so money could not be collected. Use an extended public key.':
    'Nicht für {networks}: Dort werden Adressen von Contracts anders berechnet, so dass Geld nicht eingesammelt werden könnte. Verwenden Sie einen erweiterten öffentlichen Schlüssel.',
  'Bitcoin, Litecoin, or an extended public key instead':
    'Stattdessen Bitcoin, Litecoin oder ein erweiterter öffentlicher Schlüssel',

  'Compare the address': 'Adresse vergleichen',
  'All that buyers pay on {network} from now on can be paid out to this address alone. Open your wallet and compare every group. If one differs, the money would be somebody else’s: go back.':
    'Alles, was Käufer ab jetzt auf {network} bezahlen, kann nur an diese Adresse ausgezahlt werden. Öffnen Sie Ihre Wallet, und vergleichen Sie jede Gruppe. Ist eine anders, würde das Geld jemand anderem gehören: Gehen Sie zurück.',
  '{network} is paid to this address already. Saving changes nothing.':
    '{network} geht schon an diese Adresse. Speichern ändert nichts.',
  'Quotes that are open keep the wallet they were made with.':
    'Offene Angebote behalten die Wallet, mit der sie gemacht wurden.',
  'It is the same: save': 'Sie ist gleich: speichern',
  'It differs: go back': 'Sie ist anders: zurück',
  'For developers: verify deposit addresses yourself': 'Für Entwickler: Empfangsadressen selbst prüfen',
  'Your server can compute each deposit address, so that one that was swapped here is seen: <code>verifyDepositAddress</code> of <code>@rappen/client</code> does it. By hand, with a made-up payment:':
    'Ihr Server kann jede Empfangsadresse berechnen, so dass eine, die hier vertauscht wurde, auffällt: Das macht <code>verifyDepositAddress</code> von <code>@rappen/client</code>. Von Hand, mit einer erfundenen Zahlung:',
  'Saved. Quotes on {network} from now on pay out to {address} alone. This is change {number} of this wallet.':
    'Gespeichert. Angebote auf {network} zahlen ab jetzt nur an {address} aus. Das ist Änderung {number} dieser Wallet.',
  'The contract that collects money is not on this network yet. Before anything can be collected, somebody has to deploy it, once for everybody: {command}. Buyers can pay all the same.':
    'Der Contract, der Geld einsammelt, ist auf diesem Netzwerk noch nicht vorhanden. Bevor etwas eingesammelt werden kann, muss ihn jemand einrichten, einmal für alle: {command}. Käufer können trotzdem bezahlen.',
  'The contract that collects money is not on this network yet, and whether the deployer that it needs ({deployer}) is there is not known: its node did not say. Before anything can be collected, somebody has to deploy it, once for everybody: {command}. Take no money here before: without the deployer it can never be collected.':
    'Der Contract, der Geld einsammelt, ist auf diesem Netzwerk noch nicht vorhanden, und ob es den dafür nötigen Deployer ({deployer}) gibt, ist nicht bekannt: Der Knoten hat es nicht gesagt. Bevor etwas eingesammelt werden kann, muss ihn jemand einrichten, einmal für alle: {command}. Nehmen Sie hier vorher kein Geld an: Ohne den Deployer kann es nie eingesammelt werden.',
  'Neither the contract that collects money nor the deployer that it needs ({deployer}) is on this network. First the deployer has to be there (github.com/Arachnid/deterministic-deployment-proxy), which not every network allows; then somebody has to deploy the contract, once for everybody: {command}. Take no money here before: without the deployer it can never be collected.':
    'Weder der Contract, der Geld einsammelt, noch der dafür nötige Deployer ({deployer}) ist auf diesem Netzwerk vorhanden. Zuerst muss der Deployer da sein (github.com/Arachnid/deterministic-deployment-proxy), was nicht jedes Netzwerk zulässt; dann muss jemand den Contract einrichten, einmal für alle: {command}. Nehmen Sie hier vorher kein Geld an: Ohne den Deployer kann es nie eingesammelt werden.',
  'No address has been issued here. Each buyer who picks an asset gets one of their own.':
    'Hier wurde noch keine Adresse ausgegeben. Jeder Käufer, der eine Währung wählt, erhält eine eigene.',
  Index: 'Index',
  'index|of an address': 'Index',
  '{count} atoms of {asset}': '{count} kleinste Einheiten von {asset}',
  'Issued|of an address': 'Ausgegeben',
  '{family}, replaced': '{family}, ersetzt',
  'replaced|of a wallet': 'ersetzt',
} as const;
