//===- Broadcasts.cpp - Numbers of rows in lanes of registers -------------===//
// SPDX-License-Identifier: MIT

#include "Broadcasts.h"

#include "Calls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace triton::intel::spirv {

bool hasBroadcast(Type *type) {
  return type->isFloatTy() || type->isIntegerTy(32);
}

Broadcasts matchBroadcasts(Value &vector) {
  auto *type = dyn_cast<FixedVectorType>(vector.getType());
  if (!type || !hasBroadcast(type->getElementType()))
    return {};
  Broadcasts found;
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    auto *call = dyn_cast_or_null<CallInst>(findScalarElement(&vector, i));
    if (!call || getSourceName(getCalleeName(call)) != "sub_group_broadcast")
      return {};
    auto *lane = dyn_cast<ConstantInt>(call->getArgOperand(1));
    if (!lane)
      return {};
    Value *source = call->getArgOperand(0);
    auto *known = llvm::find(found.registers, source);
    unsigned number = known - found.registers.begin();
    if (known == found.registers.end())
      found.registers.push_back(source);
    found.places.emplace_back(number, lane->getZExtValue());
    found.calls.push_back(call);
  }
  // A register for each row saves nothing.
  return found.registers.size() < found.places.size() ? found : Broadcasts();
}

Value *createBroadcasts(IRBuilder<> &builder, ArrayRef<Value *> registers,
                        ArrayRef<Place> places) {
  Type *type = registers.front()->getType();
  StringRef name = type->isFloatTy() ? "_Z19sub_group_broadcastfj"
                                     : "_Z19sub_group_broadcastjj";
  Value *vector = PoisonValue::get(FixedVectorType::get(type, places.size()));
  for (auto [row, place] : llvm::enumerate(places))
    vector = builder.CreateInsertElement(
        vector,
        callBuiltin(builder, name, type,
                    {registers[place.first], builder.getInt32(place.second)}),
        row);
  return vector;
}

} // namespace triton::intel::spirv
