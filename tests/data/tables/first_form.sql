BEGIN TRANSACTION;
CREATE TABLE answers (
    table_id text not null, client text not null, command text not null, version integer not null,
    primary key (table_id, client, command)
) without rowid;
INSERT INTO "answers" VALUES('AAAA22','client','c1',3);
CREATE TABLE chat (
    table_id text not null, number integer not null, line text not null,
    primary key (table_id, number)
) without rowid;
INSERT INTO "chat" VALUES('AAAA22',1,'{"at":1,"name":"Ada","side":null,"text":"hé"}');
CREATE TABLE happenings (
    table_id text not null, version integer not null, event text not null,
    primary key (table_id, version)
) without rowid;
INSERT INTO "happenings" VALUES('AAAA22',1,'{"event":"Opened","title":"Ä table","options":["time 10"],"at":1,"clocks":null}');
INSERT INTO "happenings" VALUES('AAAA22',2,'{"event":"Readied","side":"w","at":2,"clocks":null}');
INSERT INTO "happenings" VALUES('AAAA22',3,'{"event":"Acted","by":"w","action":"a1b2","spent":0,"at":3,"clocks":null}');
CREATE TABLE records (id text primary key, at integer not null, text text not null) without rowid;
INSERT INTO "records" VALUES('R22222',5,'text');
CREATE TABLE tables (
    id text primary key, opened integer not null, client text not null, address text not null,
    command text not null
) without rowid;
INSERT INTO "tables" VALUES('AAAA22',1,'client','address','o1');
CREATE INDEX records_at on records (at);
PRAGMA user_version = 1;
COMMIT;
