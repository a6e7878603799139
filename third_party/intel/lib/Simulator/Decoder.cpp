//===- Decoder.cpp - Machine code from IGA's JSON -------------------------===//
// SPDX-License-Identifier: MIT
//
// A key that is missing in the JSON has its default: register 0, sub-register
// 0, first lane 0, no modifier.
//
//===----------------------------------------------------------------------===//

#include "intel/Simulator/Decoder.h"

#include "Names.h"
#include "intel/Runtime/Error.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

#include <bit>
#include <cstdio>

using llvm::StringRef;
using llvm::Twine;
using triton::intel::runtime::Error;
using triton::intel::runtime::ErrorKind;

namespace json = llvm::json;

namespace triton::intel::simulator {

namespace {
[[noreturn]] void fail(const Twine &message) {
  throw Error(ErrorKind::Binary, ("machine code: " + message).str());
}

StringRef getText(const json::Object &object, StringRef key) {
  return object.getString(key).value_or("");
}

std::int64_t getNumber(const json::Object &object, StringRef key,
                       std::int64_t missing = 0) {
  return object.getInteger(key).value_or(missing);
}

/// Returns a number as IGA writes it: hexadecimal with a prefix, or decimal
/// with a sign.
std::uint64_t parseNumber(StringRef text) {
  std::uint64_t value = 0;
  StringRef digits = text;
  bool isNegative = digits.consume_front("-");
  if (digits.getAsInteger(0, value))
    fail("no number: `" + text + "`");
  return isNegative ? -value : value;
}

/// The place of a register file, and the bytes of one of its registers.
struct RegisterFile {
  const char *name;
  std::uint32_t begin, stride, count;
};

/// Strides of the ARF are those in which IGA numbers its registers.
constexpr RegisterFile registerFiles[] = {
    {"r", registerFile::grf, registerBytes, registerFile::maxGRFs},
    {"acc", registerFile::acc, registerBytes, registerFile::numAccumulators},
    {"f", registerFile::flag, 4, 4},
    {"a", registerFile::address, 64, 1},
    {"cr", registerFile::control, 64, 1},
    {"sr", registerFile::state, 64, 1},
    {"ce", registerFile::channelEnable, 64, 1},
    {"tm", registerFile::timestamp, 64, 1},
    {"n", registerFile::notification, 64, 1},
    {"s", registerFile::scalar, 64, 1},
    {"dbg", registerFile::debug, 64, 1},
    {"msg", registerFile::message, 64, 1},
    {"null", registerFile::null, 64, 1},
};

/// Reads the instructions of one kernel.
class Decoder {
public:
  Decoder(Platform platform) { code.platform = platform; }
  Code run(StringRef text);

private:
  [[noreturn]] void failHere(const Twine &message) {
    char place[16];
    std::snprintf(place, sizeof(place), "0x%x", address);
    fail(Twine("at ") + place + ", `" + mnemonic + "`: " + message);
  }

  void readInstruction(const json::Object &object);
  void readSubfunction(Instruction &instruction, StringRef name);
  void readExecution(Instruction &instruction, const json::Object &object);
  void readScoreboard(Scoreboard &scoreboard, const json::Object &object);
  Type readType(StringRef name);
  /// Returns the first byte of a register, with a sub-register in elements of a
  /// size.
  std::uint32_t readRegister(const json::Object *reg, unsigned elementBits);
  void finishIndexedMove(Instruction &instruction);
  Operand readOperand(const json::Object &object, bool isDestination,
                      const Instruction &instruction);
  void readRegion(Operand &operand, const json::Object *region,
                  bool isDestination, const Instruction &instruction);
  void readImmediate(Operand &operand, const json::Object &object);
  void readSend(Instruction &instruction, const json::Object &object);
  std::uint32_t readDescriptor(const json::Object &object, bool &isImmediate);
  void resolveBranches();

  Code code;
  std::uint32_t address = 0;
  StringRef mnemonic;
  /// Instructions with branch targets, which are addresses until all
  /// instructions are known.
  std::vector<std::uint32_t> branches;
};

Type Decoder::readType(StringRef name) {
  std::optional<Type> type = parseType(name);
  if (!type)
    failHere("unknown type `" + name + "`");
  return *type;
}

/// Sub-registers of types with fewer than 8 bits are numbered in these, too.
unsigned getSizeInBits(Type type) {
  switch (type) {
  case Type::U4:
  case Type::S4:
    return 4;
  case Type::U2:
  case Type::S2:
    return 2;
  default:
    return getSizeInBytes(type) * 8;
  }
}

std::uint32_t Decoder::readRegister(const json::Object *reg,
                                    unsigned elementBits) {
  if (!reg)
    failHere("an operand without a register");
  StringRef name = getText(*reg, "rn");
  for (const RegisterFile &file : registerFiles) {
    if (name != file.name)
      continue;
    std::int64_t number = getNumber(*reg, "r");
    if (number < 0 || number >= file.count)
      failHere("there is no register " + name + Twine(number));
    return file.begin + static_cast<std::uint32_t>(number) * file.stride +
           static_cast<std::uint32_t>(getNumber(*reg, "sr")) * elementBits / 8;
  }
  failHere("unknown register `" + name + "`");
}

/// Returns the distance between elements of a region, or -1 if it is not the
/// same for all.
std::int16_t getStride(const Operand &operand, unsigned numLanes) {
  if (operand.width >= numLanes ||
      operand.vertical == operand.width * operand.horizontal)
    return operand.horizontal;
  return operand.width == 1 ? operand.vertical : -1;
}

/// Regions that the format leaves out are those of the operation: of macros
/// and of single lanes.
void Decoder::readRegion(Operand &operand, const json::Object *region,
                         bool isDestination, const Instruction &instruction) {
  if (!region) {
    bool isPacked = instruction.numLanes > 1;
    operand.vertical = operand.width = operand.horizontal = 1;
    if (!isPacked && !isDestination)
      operand.vertical = operand.horizontal = 0;
    return;
  }
  operand.horizontal = static_cast<std::uint8_t>(getNumber(*region, "h"));
  if (isDestination)
    return;
  std::optional<std::int64_t> vertical = region->getInteger("v");
  std::optional<std::int64_t> width = region->getInteger("w");
  if (width) {
    operand.width = static_cast<std::uint8_t>(*width);
    // Without one, as of indirect operands, each element has its own address.
    operand.vertical = static_cast<std::uint8_t>(vertical.value_or(0));
    return;
  }
  // Ternary operands: of two numbers the width is that which makes the rows
  // follow each other; of one number the region is a plain stride.
  if (!vertical) {
    operand.width = 1;
    operand.vertical = operand.horizontal;
    operand.horizontal = 0;
    return;
  }
  operand.vertical = static_cast<std::uint8_t>(*vertical);
  operand.width = operand.horizontal
                      ? static_cast<std::uint8_t>(std::max<std::int64_t>(
                            *vertical / operand.horizontal, 1))
                      : 1;
}

/// Vector immediates have eight elements in the bits of one: of 4 bits, signed
/// (v) or not (uv), or small floats (vf) of a sign, 3 bits of exponent with a
/// bias of 3, and 4 of mantissa.
void Decoder::readImmediate(Operand &operand, const json::Object &object) {
  operand.kind = Operand::Immediate;
  operand.immediate = parseNumber(getText(object, "value"));
  StringRef type = getText(object, "type");
  if (type.empty())
    return;
  if (type == "v" || type == "uv" || type == "vf") {
    operand.isVector = true;
    operand.type = type == "v" ? Type::W : type == "uv" ? Type::UW : Type::F;
    return;
  }
  operand.type = readType(type);
  if (unsigned bits = getSizeInBytes(operand.type) * 8; bits < 64)
    operand.immediate &= (std::uint64_t(1) << bits) - 1;
}

Operand Decoder::readOperand(const json::Object &object, bool isDestination,
                             const Instruction &instruction) {
  Operand operand;
  StringRef kind = getText(object, "kind");
  if (kind == "IM") {
    readImmediate(operand, object);
    return operand;
  }
  // The scoreboard's operands may come without one, and those of ret and calla
  // do.
  bool hasImplicitType = instruction.opcode == Opcode::Sync ||
                         instruction.opcode == Opcode::Ret ||
                         instruction.opcode == Opcode::Calla;
  if (!hasImplicitType || object.get("type"))
    operand.type = readType(getText(object, "type"));
  StringRef modifiers = getText(object, "mods");
  operand.negate = modifiers.contains('n');
  operand.absolute = modifiers.contains('a');
  unsigned elementBits = getSizeInBits(operand.type);
  if (kind == "RD" || kind == "RM") {
    const json::Object *reg = object.getObject("reg");
    operand.offset = readRegister(reg, elementBits);
    operand.kind =
        operand.offset >= registerFile::null ? Operand::Null : Operand::Direct;
    readRegion(operand, object.getObject("rgn"), isDestination, instruction);
    operand.stride = isDestination ? operand.horizontal
                                   : getStride(operand, instruction.numLanes);
    if (kind == "RM" && getText(object, "mme") != "nomme") {
      std::uint64_t number;
      if (getText(object, "mme").substr(3).getAsInteger(10, number) ||
          number > 7)
        failHere("unknown extension `" + getText(object, "mme") + "`");
      operand.extension = static_cast<std::int8_t>(number);
    }
    return operand;
  }
  if (kind != "RI")
    failHere("unknown kind of operand `" + kind + "`");
  operand.offset = readRegister(object.getObject("areg"), 16);
  operand.addressOffset = static_cast<std::int32_t>(getNumber(object, "aoff"));
  const json::Object *region = object.getObject("rgn");
  readRegion(operand, region, isDestination, instruction);
  bool isPerLane = !isDestination && region && !region->getInteger("v");
  operand.kind = isPerLane ? Operand::IndirectLanes : Operand::IndirectRegion;
  operand.stride = isDestination ? operand.horizontal
                                 : getStride(operand, instruction.numLanes);
  return operand;
}

void Decoder::readSubfunction(Instruction &instruction, StringRef name) {
  auto unknown = [&] { failHere("unknown function `" + name + "`"); };
  switch (instruction.opcode) {
  case Opcode::Math:
    if (std::optional<MathFunction> function = parseMathFunction(name))
      instruction.math = *function;
    else
      unknown();
    return;
  case Opcode::Sync:
    if (std::optional<SyncFunction> function = parseSyncFunction(name))
      instruction.sync = *function;
    else
      unknown();
    return;
  case Opcode::Bfn:
    instruction.booleanTable = static_cast<std::uint8_t>(parseNumber(name));
    return;
  case Opcode::Dpas: {
    auto [depth, repeat] = name.split('x');
    if (depth.getAsInteger(10, instruction.depth) ||
        repeat.getAsInteger(10, instruction.repeat))
      unknown();
    return;
  }
  default:
    return;
  }
}

void Decoder::readExecution(Instruction &instruction,
                            const json::Object &object) {
  instruction.numLanes = static_cast<std::uint8_t>(getNumber(object, "es", 1));
  instruction.firstLane = static_cast<std::uint8_t>(getNumber(object, "eo"));
  if (instruction.numLanes + instruction.firstLane > maxLanes)
    failHere("more lanes than there are");
  instruction.ignoresMask = object.getBoolean("wren").value_or(false);
  if (const json::Object *predicate = object.getObject("pred")) {
    StringRef function = getText(*predicate, "func");
    instruction.predicate = Instruction::Normal;
    if (function.starts_with(".any") || function.starts_with("any"))
      instruction.predicate = Instruction::Any;
    else if (function.starts_with(".all") || function.starts_with("all"))
      instruction.predicate = Instruction::All;
    else if (!function.empty())
      failHere("unknown predicate `" + function + "`");
    instruction.isPredicateInverted =
        predicate->getBoolean("inv").value_or(false);
  }
  if (const json::Object *modifier = object.getObject("fm")) {
    std::optional<Condition> condition =
        parseCondition(getText(*modifier, "cond"));
    if (!condition)
      failHere("unknown condition `" + getText(*modifier, "cond") + "`");
    instruction.condition = *condition;
  }
  if (const json::Object *flag = object.getObject("freg")) {
    std::int64_t number = getNumber(*flag, "r") * 2 + getNumber(*flag, "sr");
    if (number < 0 || number > 7)
      failHere("there is no such flag");
    instruction.flag = static_cast<std::uint8_t>(number);
  }
  if (const json::Array *options = object.getArray("opts"))
    for (const json::Value &option : *options) {
      StringRef text = option.getAsString().value_or("");
      instruction.isAtomic |= text == "Atomic";
      instruction.isEndOfThread |= text == "EOT";
      if (text == "Compacted")
        instruction.numBytes = 8;
    }
}

void Decoder::readScoreboard(Scoreboard &scoreboard,
                             const json::Object &object) {
  StringRef distance = getText(object, "regDist");
  if (!distance.empty()) {
    auto [pipe, number] = distance.split('@');
    std::optional<Pipe> parsed = parsePipe(pipe);
    if (!parsed || number.getAsInteger(10, scoreboard.distance))
      failHere("unknown distance `" + distance + "`");
    scoreboard.pipe = *parsed;
  }
  if (const json::Object *token = object.getObject("sbid")) {
    StringRef function = getText(*token, "func");
    scoreboard.id = static_cast<std::uint8_t>(getNumber(*token, "id"));
    if (function.empty())
      scoreboard.token = Scoreboard::Set;
    else if (function == ".src")
      scoreboard.token = Scoreboard::WaitRead;
    else if (function == ".dst")
      scoreboard.token = Scoreboard::WaitWritten;
    else
      failHere("unknown token function `" + function + "`");
  }
}

/// A descriptor is an immediate, or an address register.
std::uint32_t Decoder::readDescriptor(const json::Object &object,
                                      bool &isImmediate) {
  isImmediate = getText(object, "kind") == "IM";
  if (isImmediate)
    return static_cast<std::uint32_t>(parseNumber(getText(object, "value")));
  // Address registers in descriptors are numbered in dwords.
  return readRegister(object.getObject("reg"), 32);
}

void Decoder::readSend(Instruction &instruction, const json::Object &object) {
  SendOperands send;
  StringRef function = getText(object, "subop");
  send.function = parseSharedFunction(function);
  const json::Object *destination = object.getObject("dst");
  const json::Array *sources = object.getArray("srcs");
  if (!destination || !sources || sources->size() < 3)
    failHere("a message without operands");
  const json::Object *reg = destination->getObject("reg");
  std::uint32_t offset = readRegister(reg, 8);
  send.isNull = offset >= registerFile::null;
  send.destinationRegister = offset / registerBytes;

  const json::Object *address = (*sources)[0].getAsObject();
  const json::Object *addressRegister =
      address ? address->getObject(getText(*address, "kind") == "AD" ? "areg"
                                                                     : "reg")
              : nullptr;
  offset = readRegister(addressRegister, 64);
  send.gathers = offset >= registerFile::scalar && offset < registerFile::debug;
  send.gatherOffset = offset;
  send.addressRegister = send.gathers ? 0 : offset / registerBytes;
  std::size_t next = 1;
  if (sources->size() > 3) {
    const json::Object *data = (*sources)[1].getAsObject();
    offset = readRegister(data ? data->getObject("reg") : nullptr, 8);
    send.dataRegister = offset / registerBytes;
    send.dataLength = offset >= registerFile::null
                          ? 0
                          : static_cast<unsigned>(getNumber(*data, "len"));
    next = 2;
  }
  const json::Object *extended = (*sources)[next].getAsObject();
  const json::Object *descriptor = (*sources)[next + 1].getAsObject();
  if (!extended || !descriptor)
    failHere("a message without descriptors");
  send.extended = readDescriptor(*extended, send.isExtendedImmediate);
  send.descriptor = readDescriptor(*descriptor, send.isDescriptorImmediate);
  if (send.isDescriptorImmediate)
    send.message = decodeMessage(code.platform, send.function, send.descriptor,
                                 send.isExtendedImmediate ? send.extended : 0);
  // The disassembler knows where an instruction has it, which the descriptors
  // of surfaces do not state.
  if (address)
    if (std::optional<std::int64_t> offset = address->getInteger("aoff"))
      send.message.offset = static_cast<std::int32_t>(*offset);
  if (instruction.isEndOfThread)
    send.message.kind = MessageKind::EndOfThread;
  instruction.message = static_cast<std::uint32_t>(code.messages.size());
  code.messages.push_back(send);
}

/// A jump by a register has neither a type nor a region: it is a number.
static json::Object describeDistance(const json::Object &source) {
  json::Object operand = source;
  operand["type"] = "d";
  operand["rgn"] = json::Object{{"v", 0}, {"w", 1}, {"h", 0}};
  return operand;
}

void Decoder::readInstruction(const json::Object &object) {
  Instruction instruction;
  mnemonic = getText(object, "op");
  address = static_cast<std::uint32_t>(getNumber(object, "pc"));
  instruction.address = address;
  std::optional<Opcode> opcode = parseOpcode(mnemonic);
  if (!opcode)
    failHere("unknown instruction");
  instruction.opcode = *opcode;
  if (instruction.opcode == Opcode::Illegal) {
    code.instructions.push_back(instruction);
    return;
  }
  readExecution(instruction, object);
  readSubfunction(instruction, getText(object, "subop"));
  readScoreboard(instruction.scoreboard, object);
  if (instruction.opcode == Opcode::Send) {
    readSend(instruction, object);
    code.instructions.push_back(instruction);
    return;
  }
  if (const json::Object *destination = object.getObject("dst")) {
    instruction.destination =
        readOperand(*destination, /*isDestination=*/true, instruction);
    instruction.saturates = destination->getBoolean("sat").value_or(false);
  }
  bool branches = false;
  if (const json::Array *sources = object.getArray("srcs"))
    for (const json::Value &value : *sources) {
      const json::Object *source = value.getAsObject();
      if (!source)
        failHere("a source that is no object");
      if (getText(*source, "kind") == "LB") {
        // One target is where to jump to. Of two the first one is JIP.
        std::uint64_t target;
        if (getText(*source, "target").substr(1).getAsInteger(10, target))
          failHere("unknown target");
        if (!branches)
          instruction.jip = static_cast<std::uint32_t>(target);
        instruction.uip = static_cast<std::uint32_t>(target);
        branches = true;
        continue;
      }
      if (instruction.numSources == instruction.sources.size())
        failHere("too many sources");
      instruction.sources[instruction.numSources++] =
          instruction.opcode == Opcode::Jmpi
              ? readOperand(describeDistance(*source), /*isDestination=*/false,
                            instruction)
              : readOperand(*source, /*isDestination=*/false, instruction);
    }
  if (instruction.opcode == Opcode::Movi)
    finishIndexedMove(instruction);
  if (branches)
    this->branches.push_back(
        static_cast<std::uint32_t>(code.instructions.size()));
  code.instructions.push_back(instruction);
}

/// Whatever the region, each lane has an address; the second source has no
/// meaning ("Move Indexed" in the Programmer's Reference Manual).
void Decoder::finishIndexedMove(Instruction &instruction) {
  Operand &source = instruction.sources[0];
  bool hasSecond = instruction.numSources > 1 &&
                   instruction.sources[1].kind != Operand::Null;
  if (hasSecond || (source.kind != Operand::IndirectLanes &&
                    source.kind != Operand::IndirectRegion))
    failHere("`movi` with other sources than an indirect one");
  instruction.numSources = 1;
  source.kind = Operand::IndirectLanes;
  source.width = 1;
  source.horizontal = 0;
  source.sharesRegister = true;
}

/// The bit that distinguishes a backward goto from a forward one is not in the
/// format. It is the one whose lanes go to a smaller address.
void Decoder::resolveBranches() {
  for (std::uint32_t index : branches) {
    Instruction &instruction = code.instructions[index];
    instruction.isBackward = instruction.uip <= instruction.address;
    instruction.jip = code.find(instruction.jip);
    instruction.uip = code.find(instruction.uip);
  }
}

Code Decoder::run(StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    fail("IGA's JSON cannot be read: " + llvm::toString(value.takeError()));
  const json::Object *root = value->getAsObject();
  const json::Array *elements = root ? root->getArray("elems") : nullptr;
  if (!elements)
    fail("IGA's JSON has no instructions");
  if (StringRef version = getText(*root, "version"); version != "2.0")
    fail("version 2.0 of IGA's JSON is expected, found `" + version + "`");
  for (const json::Value &element : *elements) {
    const json::Object *object = element.getAsObject();
    if (!object)
      fail("an element of IGA's JSON is no object");
    if (getText(*object, "kind") == "I")
      readInstruction(*object);
  }
  if (code.instructions.empty())
    fail("there are no instructions");
  resolveBranches();
  return std::move(code);
}
} // namespace

std::uint32_t Code::find(std::uint32_t address) const {
  auto position = llvm::lower_bound(
      instructions, address,
      [](const Instruction &instruction, std::uint32_t address) {
        return instruction.address < address;
      });
  if (position == instructions.end() || position->address != address)
    fail("a jump to 0x" + llvm::utohexstr(address) +
         ", where no instruction begins");
  return static_cast<std::uint32_t>(position - instructions.begin());
}

Code decode(std::string_view igaJson, Platform platform) {
  return Decoder(platform).run(StringRef(igaJson.data(), igaJson.size()));
}

} // namespace triton::intel::simulator
